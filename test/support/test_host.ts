import { createConnection, createServer, type Server, type Socket } from "node:net";

/** A host of a cluster, as far as a client can tell: a port of its own that leads to the test's server. */
export class TestHost {
  readonly port: number;
  readonly #url: string | undefined;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  /** Whether it takes connections and says nothing. */
  isFrozen = false;
  /** The next statement with this text in it runs, and its connection is lost before the answer. */
  losesAnswerTo: string | undefined;
  connections = 0;
  /** How often `select 1` came this way. */
  pings = 0;

  /** `url`: where it leads to; by default the server of FW_TEST_MYSQL_URL. */
  constructor(port: number, url?: string) {
    this.port = port;
    this.#url = url;
  }
  async start(): Promise<void> {
    const { hostname, port } = new URL(this.#url ?? process.env.FW_TEST_MYSQL_URL!);
    const server = createServer((client) => {
      this.connections++;
      const upstream = createConnection({ host: hostname, port: Number(port || 3306) });
      for (const socket of [client, upstream]) this.#sockets.add(socket.on("error", () => undefined));
      client.on("data", (data) => this.#send(data, client, upstream)).on("close", () => upstream.destroy());
      upstream.on("data", (data) => this.isFrozen || client.write(data)).on("close", () => client.destroy());
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
  }
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  #send(data: Buffer, client: Socket, upstream: Socket): void {
    if (data.includes("select 1")) this.pings++;
    if (this.losesAnswerTo !== undefined && data.includes(this.losesAnswerTo)) {
      this.losesAnswerTo = undefined;
      upstream.removeAllListeners("data").once("data", () => client.destroy());
    }
    if (!this.isFrozen) upstream.write(data);
  }
}
