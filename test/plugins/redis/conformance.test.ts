import { randomBytes } from "node:crypto";
import { openKernel, type Settings } from "framewright/kernel";
import { limits } from "framewright/plugins/limits";
import { type RedisPluginOptions, redis } from "framewright/plugins/redis";
import { sessions } from "framewright/plugins/sessions";
import { limitsConformance } from "../../conformance/limits.ts";
import { sessionsConformance } from "../../conformance/sessions.ts";
import { assert, describe, reasonToSkip, throwsCode } from "../../support/index.ts";
import { testRedis } from "../../support/redis.ts";

const skip = await reasonToSkip("redis");
const settings = {
  secrets: ["a secret of at least thirty-two bytes"],
  cookies: { path: "/", prefix: "" },
} as unknown as Settings;
let server: Awaited<ReturnType<typeof testRedis>> | undefined;

/** A kernel on keys of its own. */
async function open(options: RedisPluginOptions = {}) {
  server ??= await testRedis();
  const prefix = `fw-test-${randomBytes(6).toString("hex")}:`;
  return openKernel([limits(), sessions(), redis({ url: server.url, prefix, ...options })].flat() as never, {
    settings,
  });
}

describe("Limits in Redis", (it, { after }) => {
  after(async () => {
    await server?.remove();
    server = undefined;
  });
  for (const { sentence, check } of limitsConformance) {
    it.unless(skip, sentence, async () => {
      const kernel = await open();
      await check(kernel.service("limits")).finally(() => kernel.close());
    });
  }
  it.unless(skip, "A refund of parallel attempts gives back as many as there were", async () => {
    const kernel = await open();
    try {
      const limiter = kernel.service("limits").open("guesses", { points: 5, seconds: 60 });
      await Promise.all(Array.from({ length: 5 }, () => limiter.consume("ann")));
      await Promise.all(Array.from({ length: 20 }, () => limiter.refund("ann")));
      const waits = await Promise.all(Array.from({ length: 20 }, () => limiter.consume("ann")));
      assert.is(waits.filter((wait) => wait === undefined).length, 5);
    } finally {
      await kernel.close();
    }
  });
});

describe("Sessions in Redis", (it, { after }) => {
  after(async () => {
    await server?.remove();
    server = undefined;
  });
  for (const { sentence, check } of sessionsConformance) {
    it.unless(skip, sentence, async () => {
      const kernel = await open({ sessions: true });
      await check(kernel.service("sessions")).finally(() => kernel.close());
    });
  }
  it.unless(skip, "Redis has neither a session's token nor its values in clear", async () => {
    const kernel = await open({ sessions: true });
    try {
      const { open: openSession, save } = kernel.service("sessions");
      const request = { cookies: {}, locals: {} } as never;
      const session = await openSession(request);
      session.set("who", "marked");
      const line = await save(session, request);
      const token = /=([^;]+)/.exec(line!)![1]!;
      const all = await kernel.service("redis").run(async (client) => {
        const keys = await client.keys("*");
        return JSON.stringify([keys, await Promise.all(keys.map((key) => client.get(key).catch(() => "")))]);
      });
      assert.match(all, "session:");
      assert.not.match(all, "marked");
      assert.not.match(all, token);
    } finally {
      await kernel.close();
    }
  });
});

describe("The plugin redis", (it) => {
  it("An application without an address, or with one that is none, is refused without its text", async () => {
    for (const url of [undefined, "localhost:6379/marked", "https://marked@example.test/"]) {
      const error = await throwsCode("FW_REDIS_URL", () =>
        openKernel([...redis(url ? { url } : {})] as never, { settings }),
      );
      assert.not.match(error.message, "marked");
    }
  });
});
