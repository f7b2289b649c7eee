import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { bootApp, type TestApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { within } from "../support/pace.ts";
import { attackedFiles } from "./attacked.ts";
import { p99While } from "./raw.ts";

const values = { HEADERS_TIMEOUT: "600", REQUEST_TIMEOUT: "1000" };
const head = "Host: localhost\r\nContent-Length: 1000\r\n";
const multipart = "Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; ";
/** The beginning of a request, and what trickles after it. */
const slow: [string, string, string][] = [
  ["a connection that says nothing", "", ""],
  ["a header that trickles", "GET /plain HTTP/1.1\r\nHost: localhost\r\n", "X: y\r\n"],
  ["a request line that trickles", "GET /", "a"],
  ["a JSON body that trickles", `POST /pages HTTP/1.1\r\n${head}Content-Type: application/json\r\n\r\n`, "x"],
  ["a form that trickles", `POST /pages HTTP/1.1\r\n${head}${multipart}name="a"\r\n\r\n`, "x"],
  ["a file that trickles", `POST /pages HTTP/1.1\r\n${head}${multipart}name="f"; filename="a"\r\n\r\n`, "x"],
  [
    "chunks that trickle",
    "POST /pages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n",
    "1\r\nx\r\n",
  ],
];

describe("Slow clients", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await bootApp(attackedFiles, { values });
  });
  after(() => app.close());

  /** What a client that sends a piece every 100 ms is told, and after how long. */
  const trickle = async (start: string, piece: string) => {
    const begin = performance.now();
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1").setEncoding("latin1");
    let text = "";
    let isOpen = true;
    socket.on("data", (chunk) => (text += chunk)).on("error", () => undefined);
    socket.on("close", () => (isOpen = false));
    socket.write(start);
    while (isOpen && performance.now() - begin < 8000) {
      await sleep(100);
      if (isOpen && piece) socket.write(piece);
    }
    socket.destroy();
    return {
      status: text.slice(9, 12),
      answers: text.split("HTTP/1.1 ").length - 1,
      isOpen,
      took: performance.now() - begin,
    };
  };

  it("A connection, header or body that arrives too slowly is ended with 408, and other requests take less than 250 ms", async () => {
    const attack = Promise.all(
      slow.map(async ([name, start, piece]) => {
        const told = await Promise.all([trickle(start, piece), trickle(start, piece)]);
        for (const { status, answers, isOpen, took } of told) {
          assert.is(isOpen, false, name);
          assert.is(status, "408", name);
          assert.is(answers, 1, name);
          assert.ok(took < 5000, `${name} took ${took} ms`);
        }
      }),
    );
    const p99 = await p99While(attack, async () => assert.is((await app.request("/plain")).status, 200));
    assert.ok(p99 < within(250), `others waited ${p99} ms`);
  });
});

describe("Clients that do not read", (it) => {
  it("A connection whose client does not read is closed before the whole answer was sent", async () => {
    const app = await bootApp(attackedFiles, { values: { REQUEST_TIMEOUT: "500", REQUEST_DEADLINE: "500" } });
    const bytes = 40_000_000;
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1").on("error", () => undefined);
    socket.write(`GET /large?bytes=${bytes} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await sleep(3500);
    let read = 0;
    socket.on("data", (chunk: Buffer) => (read += chunk.length));
    await Promise.race([once(socket, "close"), sleep(2000)]);
    socket.destroy();
    await app.close();
    assert.ok(read < bytes, `${read} bytes were kept for it`);
  });
});

describe("Timeout settings", (it) => {
  it("An application serves with a REQUEST_TIMEOUT that is shorter than its HEADERS_TIMEOUT", async () => {
    const app = await bootApp(attackedFiles, { values: { REQUEST_TIMEOUT: "5000" } });
    assert.is((await app.request("/plain")).status, 200);
    await app.close();
  });
});
