import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A mail as it arrived, with everything decoded. */
export interface ArrivedMail {
  /** The addresses that it was handed over for. */
  to: readonly string[];
  /** The header fields by their names in lower case; a field that came several times has all of its values, joined by a line break. */
  headers: Readonly<Record<string, string>>;
  text: string;
  html?: string;
  /** The files that came with it; left out by an inbox that does not read them, of which none are checked. */
  files?: readonly ArrivedFile[];
}
export interface ArrivedFile {
  filename: string;
  /** Without parameters, as in `application/pdf`. */
  type: string;
  content: Buffer;
}

/** Where the mails of the mailer under test arrive. */
export interface Inbox {
  /** What makes the mailer send here: `{ SMTP_ADDRESS: "127.0.0.1", … }`. */
  env: Readonly<Record<string, string>>;
  /** The mails that arrived so far. */
  arrived(): readonly ArrivedMail[] | Promise<readonly ArrivedMail[]>;
  close(): Promise<void>;
}

const REPLIES: Readonly<Record<string, string>> = {
  DATA: "354 go on",
  EHLO: "250-conformance\r\n250-8BITMIME\r\n250 SMTPUTF8",
  QUIT: "221 bye",
};

/** One connection: commands line by line, and messages up to the line with a dot. */
function serve(socket: Socket, keep: (to: readonly string[], raw: string) => void): void {
  let [buffer, message]: [string, string[] | undefined] = ["", undefined];
  let to: string[] = [];
  const reply = (line: string) => void socket.write(`${line}\r\n`);
  const command = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "MAIL" || verb === "RSET") to = [];
    if (verb === "RCPT") to.push(/<([^>]*)>/.exec(line)?.[1] ?? line);
    if (verb === "DATA") message = [];
    reply(REPLIES[verb] ?? "250 ok");
    if (verb === "QUIT") socket.end();
  };
  const take = (line: string): void => {
    if (message === undefined) command(line);
    else if (line !== ".") message.push(line.replace(/^\./, ""));
    else {
      keep(to, message.join("\r\n"));
      [message, to] = [undefined, []];
      reply("250 ok");
    }
  };
  socket.setEncoding("utf8").on("error", () => undefined);
  socket.on("data", (chunk: string) => {
    const lines = (buffer + chunk).split("\r\n");
    buffer = lines.pop()!;
    lines.forEach(take);
  });
  reply("220 conformance");
}

/** A server that takes every mail, on a port of its own of this machine. */
export async function openSmtpInbox(): Promise<Inbox> {
  const mails: ArrivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket, (to, raw) => void mails.push({ to, ...parsed(raw) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    env: { SMTP_ADDRESS: "127.0.0.1", SMTP_PORT: String(port) },
    arrived: () => mails,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A message without its recipients: header fields, and the bodies of its parts by their types. */
function parsed(raw: string): Omit<ArrivedMail, "to"> {
  const { headers, bodies, files } = partOf(raw);
  const html = bodies["text/html"];
  return { headers, text: bodies["text/plain"] ?? "", ...(html === undefined ? {} : { html }), files };
}

interface Part {
  headers: Record<string, string>;
  bodies: Record<string, string>;
  files: ArrivedFile[];
}
function partOf(raw: string): Part {
  const end = raw.indexOf("\r\n\r\n");
  const headers = headersOf(end < 0 ? raw : raw.slice(0, end));
  const body = end < 0 ? "" : raw.slice(end + 4);
  const type = headers["content-type"] ?? "text/plain";
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary === undefined) {
    const content = decodedBody(body, headers["content-transfer-encoding"] ?? "");
    const plain = type.split(";")[0]!.trim().toLowerCase();
    const { "content-disposition": disposition = "" } = headers;
    if (!/^attachment/i.test(disposition)) return { headers, bodies: { [plain]: content.toString() }, files: [] };
    const filename = /filename="?([^";]*)"?/i.exec(disposition)?.[1] ?? "";
    return { headers, bodies: {}, files: [{ filename, type: plain, content }] };
  }
  const pieces = body.split(`--${boundary}`).slice(1, -1);
  const parts = pieces.map((part) => partOf(part.replace(/^\r\n/, "")));
  const bodies: Record<string, string> = Object.assign({}, ...parts.map((part) => part.bodies));
  return { headers, bodies, files: parts.flatMap(({ files }) => files) };
}

function headersOf(head: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    headers[key] = key in headers ? `${headers[key]}\n${decodedWords(value)}` : decodedWords(value);
  }
  return headers;
}

const fromHex = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );

/** `=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=` is "Grüße"; a character may be split between two such words. */
function decodedWords(value: string): string {
  const words = /(?:=\?utf-8\?[bq]\?[^?]*\?=\s*)+/gi;
  return value.replaceAll(words, (run) => {
    const bytes = [...run.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, kind, word]) =>
      kind!.toLowerCase() === "b" ? Buffer.from(word!, "base64") : fromHex(word!.replaceAll("_", " ")),
    );
    return Buffer.concat(bytes).toString();
  });
}

function decodedBody(body: string, encoding: string): Buffer {
  const ended = body.replace(/\r\n$/, "");
  if (/base64/i.test(encoding)) return Buffer.from(ended, "base64");
  return /quoted-printable/i.test(encoding) ? fromHex(ended.replaceAll("=\r\n", "")) : Buffer.from(ended);
}
