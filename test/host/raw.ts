import { connect, type Socket } from "node:net";

/** What came back over a socket: the status, 0 when nothing did, and everything that was read. */
export interface RawAnswer {
  status: number;
  text: string;
}

const open = (url: string): Socket => connect(Number(new URL(url).port), "127.0.0.1").setEncoding("latin1");

/** Sends bytes, given in Latin-1, and reads until the server closes or a whole answer is there. */
export function sendRaw(url: string, bytes: string, within = 5000): Promise<RawAnswer> {
  const socket = open(url);
  let text = "";
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    };
    const timer = setTimeout(finish, within);
    socket.on("data", (chunk) => {
      text += chunk;
      const length = /^content-length: (\d+)/im.exec(text)?.[1];
      const body = text.indexOf("\r\n\r\n") + 4;
      if (body > 3 && length !== undefined && text.length >= body + Number(length)) finish();
      else if (/^HTTP\/1\.1 204/.test(text)) finish();
    });
    socket.on("close", finish).on("error", finish);
    socket.write(bytes, "latin1");
  });
}

/** A body in one request with its length. */
export const withBody = (path: string, type: string, body: string, headers = ""): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

/** The 99th of a hundred, in milliseconds, of asking for a path again and again until `done`. */
export async function p99While(done: Promise<unknown>, ask: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  const watched = done.finally(() => (isDone = true));
  const times: number[] = [];
  while (!isDone || times.length < 20) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  await watched;
  times.sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * 0.99))]!;
}
