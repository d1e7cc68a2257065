import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps at most so many connections. One more takes the place of the connection that has been without a request for
 * longest, so connections that send nothing cannot shut others out; if every connection is in use, it is hung up on.
 */
export function limitConnections(server: Server, most: number): void {
  const open = new Set<Socket>();
  /** Without a request, the longest first. */
  const idle = new Set<Socket>();

  function forget(socket: Socket): void {
    open.delete(socket);
    idle.delete(socket);
  }

  server.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      const leaving = idle.values().next().value ?? socket;
      forget(leaving);
      leaving.destroy();
      if (leaving === socket) return;
    }
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) idle.add(socket);
    });
  });
  server.on('upgrade', ({ socket }) => idle.delete(socket));
}
