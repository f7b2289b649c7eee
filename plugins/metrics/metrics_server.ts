import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "framewright/host";
import { messageOf } from "framewright/kernel";
import type { Endpoint } from "./endpoint.ts";

interface Log {
  info(message: string): void;
  error(facts: object, message: string): void;
}
const TIMEOUT_MS = 10_000;

/** The port of its own: without the application's sessions, hosts and limits, and answered while those are busy. */
export class MetricsServer {
  readonly #endpoint: Endpoint;
  readonly #log: Log;
  readonly #server: Server;

  constructor(endpoint: Endpoint, log: Log) {
    this.#endpoint = endpoint;
    this.#log = log;
    this.#server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (req, res) => {
      void this.#answer(req, res);
    });
    this.#server.timeout = TIMEOUT_MS;
  }

  /** A port that is taken is logged: the application serves without being measured rather than not at all. */
  listen(port: number, host: string): void {
    this.#server.on("error", (err) => this.#log.error({ err }, `metrics: ${err.message}`));
    this.#server.listen(port, host, () => this.#log.info(`metrics at port ${this.port} of ${host}`));
  }
  /** The port that it listens at, once it does. */
  get port(): number | undefined {
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : undefined;
  }
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer({ method = "", url = "", headers }: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      const path = url.split("?", 1)[0] ?? "";
      const reply = await this.#endpoint.reply({ method, path, authorization: headers.authorization });
      res.writeHead(reply.status, reply.headers).end(method === "HEAD" ? undefined : reply.body);
    } catch (error) {
      this.#log.error({ err: error }, `metrics: ${messageOf(error)}`);
      res.writeHead(503, { "content-type": "text/plain", "retry-after": "5" }).end("unavailable\n");
    }
  }
}
