export { serveMcp } from './create-mcp-server.ts';
export { createLibrary, type Library } from './library.ts';
