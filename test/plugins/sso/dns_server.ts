import { createSocket, type Socket } from "node:dgram";
import type { AddressInfo } from "node:net";

/** What a name has: texts, each of one or several parts; or how the server answers instead. */
export type Zone = readonly (readonly string[])[] | "nxdomain" | "servfail" | "silent";

const TYPE_TXT = 16;
const codes = { servfail: 2, nxdomain: 3 } as const;

/** A server of DNS on loopback, with the TXT records of a test; a name as `*.acme.test` is for whatever is below it. */
export class DnsServer {
  readonly #socket: Socket = createSocket("udp4");
  readonly zones = new Map<string, Zone>();
  /** The names that were looked up. */
  readonly asked: string[] = [];

  static async open(): Promise<DnsServer> {
    const server = new DnsServer();
    server.#socket.on("message", (message, { port, address }) => {
      const reply = server.#answer(message);
      if (reply) server.#socket.send(reply, port, address);
    });
    await new Promise<void>((resolve) => server.#socket.bind(0, "127.0.0.1", resolve));
    return server;
  }
  get address(): string {
    return `127.0.0.1:${(this.#socket.address() as AddressInfo).port}`;
  }
  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()));
  }

  #zoneOf(name: string): Zone {
    const own = this.zones.get(name);
    if (own) return own;
    const above = name.split(".").map((_, at, labels) => `*.${labels.slice(at + 1).join(".")}`);
    return above.map((one) => this.zones.get(one)).find((one) => one !== undefined) ?? "nxdomain";
  }
  #answer(message: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at]!; length > 0; length = message[at]!) {
      labels.push(message.toString("latin1", at + 1, at + 1 + length));
      at += length + 1;
    }
    const question = message.subarray(12, at + 5);
    const name = labels.join(".").toLowerCase();
    this.asked.push(name);
    const zone = this.#zoneOf(name);
    if (zone === "silent") return undefined;
    const texts = typeof zone === "string" || message.readUInt16BE(at + 1) !== TYPE_TXT ? [] : zone;
    const answers = texts.map((parts) => {
      const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
      const head = Buffer.alloc(12);
      head.writeUInt16BE(0xc00c, 0);
      head.writeUInt16BE(TYPE_TXT, 2);
      head.writeUInt16BE(1, 4);
      head.writeUInt16BE(data.length, 10);
      return Buffer.concat([head, data]);
    });
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580 | (typeof zone === "string" ? codes[zone] : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    return Buffer.concat([header, question, ...answers]);
  }
}
