import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { writeApp } from "../support/apps.ts";
import { corpus } from "../support/corpora/index.ts";
import { assert, describe } from "../support/index.ts";
import { within } from "../support/pace.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { attackedFiles } from "./attacked.ts";
import { p99While, sendRaw, withBody } from "./raw.ts";

const UPLOAD = 2_000_000;
/** Two cores, both busy with tests: what is meant is "not stuck", and stuck is seconds. */
const FAST = 250;

describe("The host under attack", (it, { before, after }) => {
  let app: Awaited<ReturnType<typeof serveApp>>;
  before(async () => {
    app = await serveApp(writeApp(attackedFiles), { UPLOAD_LIMIT: String(UPLOAD) });
  });
  after(async () => {
    assert.is(app.child.exitCode, null, app.output());
    app.child.kill("SIGTERM");
    assert.is(await exitOf(app.child), 0);
  });

  const request = (path: string, init: RequestInit = {}) => fetch(app.url + path, init);
  const lives = async () => assert.is((await request("/plain")).status, 200);
  /** Sends every case of a corpus, while somebody else asks for a page all the time. */
  const run = async (name: string, write: (sent: string) => string) => {
    const wrong: string[] = [];
    const attack = async () => {
      for (const { expected, sent, name: line } of corpus(name)) {
        const { status, text } = await sendRaw(app.url, write(sent));
        if (status !== Number(expected)) wrong.push(`${status} and not ${expected}: ${line}`);
        if (/ at (?:async )?\S+ \(|node:internal|\/host\//.test(text)) wrong.push(`a stack trace: ${line}`);
        if (/<script>alert/.test(text)) wrong.push(`an echo: ${line}`);
        if (/polluted":[^n]/.test(text)) wrong.push(`a polluted prototype: ${line}`);
      }
    };
    const p99 = await p99While(attack(), lives);
    assert.equal(wrong, []);
    assert.ok(p99 < within(FAST), `others waited ${p99} ms`);
    assert.match(await (await request("/pages/1")).text(), /^\{"id":"1"\}$/);
  };

  it("Malformed, long and unusual paths get their expected status, without a stack trace or a delay for other requests", () =>
    run("paths", (target) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`));
  it("Malformed requests, hosts, headers and lengths are answered with 400, 413 and 431", () =>
    run("requests", (text) => text));
  it("Malformed bodies get their expected status, and no key reaches a prototype", () =>
    run("bodies", (line) => {
      const [, type = "", body = ""] = /^(\S+) ?(.*)$/s.exec(line) ?? [];
      return withBody("/pages", type, body);
    }));
  it("Malformed multipart bodies get their expected status, and the server keeps serving", () =>
    run("multiparts", (body) => withBody("/pages", "multipart/form-data; boundary=b", body)));
  it("/healthz and /readyz answer GET and HEAD with 200, OPTIONS with 204, POST and DELETE with 405", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const statusOf = async (method: string) => (await request(path, { method })).status;
      assert.equal(
        await Promise.all(["GET", "HEAD", "OPTIONS", "POST", "DELETE"].map(statusOf)),
        [200, 200, 204, 405, 405],
      );
      assert.is((await request(path)).headers.get("x-content-type-options"), "nosniff");
    }
  });
  it("A multipart body without a valid boundary is answered with 400", async () => {
    for (const type of [
      "multipart/form-data",
      "multipart/form-data; boundary=",
      `multipart/form-data; boundary=${"x".repeat(5000)}`,
    ]) {
      assert.is((await sendRaw(app.url, withBody("/pages", type, "--b--\r\n"))).status, 400, type.slice(0, 60));
    }
  });

  it("A truncated multipart body is answered with 400, whatever the size of the pieces that it arrives in", async () => {
    const body = `--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n${"x".repeat(300)}`;
    for (const size of [1, 7, 50]) {
      const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
      socket
        .on("error", () => undefined)
        .write(withBody("/pages", "multipart/form-data; boundary=b", body).slice(0, -body.length));
      for (let at = 0; at < body.length; at += size) {
        socket.write(body.slice(at, at + size));
        if (at % 50 === 0) await sleep(1);
      }
      const [answer] = (await once(socket, "data")) as [Buffer];
      assert.is(answer.toString("latin1", 9, 12), "400", `pieces of ${size}`);
      socket.destroy();
    }
    await lives();
  });

  it("An oversized chunked body without a declared length is answered with 413", async () => {
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    for (const type of ["application/json", "multipart/form-data; boundary=b"]) {
      const start = type.startsWith("multipart")
        ? '--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n'
        : "{";
      const head = `POST /pages HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const first = `${start.length.toString(16)}\r\n${start}\r\n`;
      assert.is((await sendRaw(app.url, head + first + chunk.repeat(60))).status, 413, type);
    }
  });

  it("A form with more than 50 files is answered in one sentence, before all of it has come", async () => {
    const part = (name: string) =>
      `--b\r\nContent-Disposition: form-data; name="files[]"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\nx\r\n`;
    const files = Array.from({ length: 60 }, (_, index) => part(`${index}.txt`)).join("");
    const head = `POST /pages HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 50000\r\n\r\n`;
    const { status, text } = await sendRaw(app.url, head + files);
    assert.is(status, 413);
    assert.match(text, "a form takes 50 files at most. Send fewer at a time.");
  });

  it("A client that uploads an oversized body receives the answer 413", async () => {
    const form = new FormData();
    form.set("file", new Blob(["x".repeat(UPLOAD * 4)]), "a.bin");
    assert.is((await request("/pages", { method: "POST", body: form })).status, 413);
    assert.is(
      (
        await request("/pages", {
          method: "POST",
          body: "x".repeat(6_000_000),
          headers: { "content-type": "application/json" },
        })
      ).status,
      413,
    );
  });

  it("The unread body of a refused request is never parsed as the next request", async () => {
    const smuggled = "GET /count HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const { text } = await sendRaw(
      app.url,
      `POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    );
    assert.match(text, /^HTTP\/1\.1 404/);
    assert.is(text.includes("changes"), false);
  });

  it("Other requests take less than 250 ms while eight clients send malformed bodies", async () => {
    const bodies = corpus("multiparts");
    const attack = Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        for (let turn = 0; turn < 10; turn++) {
          const { sent } = bodies[(index * 10 + turn) % bodies.length]!;
          await sendRaw(app.url, withBody("/pages", "multipart/form-data; boundary=b", sent));
        }
      }),
    );
    const p99 = await p99While(attack, lives);
    assert.ok(p99 < within(FAST), `others waited ${p99} ms`);
  });

  it("The server keeps serving after clients disconnect in the middle of a request or an answer", async () => {
    const port = Number(new URL(app.url).port);
    const leave = async (bytes: string, wait: number) => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.write(bytes);
      await sleep(wait);
      socket.resetAndDestroy();
    };
    const upload = withBody(
      "/pages",
      "multipart/form-data; boundary=b",
      `--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n${"x".repeat(1000)}`,
    );
    const head = "Host: localhost\r\n\r\n";
    const leaving = [
      "GET /pages",
      `GET /large HTTP/1.1\r\n${head}`,
      upload.slice(0, -500),
      withBody("/pages", "application/json", "{}").slice(0, -1),
    ];
    for (const bytes of leaving) await Promise.all([leave(bytes, 0), leave(bytes, 5), leave(bytes, 30)]);
    await lives();
  });
});
