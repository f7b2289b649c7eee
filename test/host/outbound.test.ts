import { createServer, type Server } from "node:net";
import { Addresses, guardedFetch } from "framewright/host/outbound";
import { assert, describe } from "../support/index.ts";

/** A server that answers each connection with these bytes. */
async function answering(bytes: string): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`, server };
}
const rules = { ports: [443], allowHttp: true, addresses: new Addresses(["127.0.0.0/8"]) };
const options = { ...rules, resolve: async () => [], timeoutMs: 2000, maxBytes: 100 };

describe("Requests to URLs that people type", (it) => {
  for (const [name, bytes, expected] of [
    ["a status that is none", "HTTP/1.1 999 What\r\ncontent-length: 2\r\n\r\nok", /status 999/],
    ["more bytes than are read", `HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\n${"x".repeat(200)}`, /too large/],
    ["less than it announces", "HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\nx", /aborted|closed/],
    ["nothing of HTTP", "what?\r\n\r\n", /./],
  ] as const)
    it(`An answer with ${name} is refused at once, and leaves no promise behind`, async () => {
      const { url, server } = await answering(bytes);
      const left: unknown[] = [];
      const note = (reason: unknown) => left.push(reason);
      process.on("unhandledRejection", note);
      try {
        const start = performance.now();
        const error = await guardedFetch(options)(url).then(
          () => new Error("it was taken"),
          (reason: unknown) => reason as Error,
        );
        await new Promise((resolve) => setTimeout(resolve, 20));
        assert.match(error.message, expected);
        assert.ok(performance.now() - start < 1500, "it did not wait for the limit");
        assert.equal(left, []);
      } finally {
        process.off("unhandledRejection", note);
        server.close();
      }
    });
  it("A request that was given up before it began sends nothing", async () => {
    const { url, server } = await answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    try {
      const error = await guardedFetch(options)(url, { signal: AbortSignal.abort(new Error("given up")) }).then(
        () => new Error("it was taken"),
        (reason: unknown) => reason as Error,
      );
      assert.is(error.message, "given up");
      const answer = await guardedFetch(options)(url);
      assert.equal([answer.status, await answer.text()], [200, "ok"]);
    } finally {
      server.close();
    }
  });
});
