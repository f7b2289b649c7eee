import { createRequire } from "node:module";

/**
 * Fast path: an import of node:http reads all exports of the module, and from Node 22 on loads a client of WebSocket for it: 40 ms
 * of a start, and memory. Required as here, and so by polka, it loads what is used.
 */
export const { createServer, IncomingMessage, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule("node:http");
export type IncomingMessage = import("node:http").IncomingMessage;

const require = createRequire(import.meta.url);
export const polka = require("polka") as typeof import("polka").default;
