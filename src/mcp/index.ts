export { createMcpServer, type McpServerOptions } from './create-mcp-server.ts';
export { createLibrary, type Library, type LibraryOptions } from './library.ts';
export { type ServeMcpOptions, serveMcp } from './serve-mcp.ts';
