import { openDigests } from "framewright/host";
import { checkOptions, definePlugin, definePlugins, env, messageOf, option, type PluginList } from "framewright/kernel";
import type {} from "framewright/plugins/limits";
import type {} from "framewright/plugins/sessions";
import { Connection, loadClient } from "./connection.ts";
import { errors } from "./errors.ts";
import { redisLimits } from "./redis_limits.ts";
import { redisSessions } from "./redis_sessions.ts";

export type { Redis, RedisClient, RunOptions } from "./contract.ts";

/** Options of `redis()`. */
export interface RedisPluginOptions {
  /** The address; `REDIS_URL` by default. */
  url?: string;
  /** What the names of all keys begin with; "fw:" by default. Applications that share a server need one each. */
  prefix?: string;
  /** false: attempts are not counted in Redis. */
  limits?: boolean;
  /** Whether sessions are stored in Redis; false by default. `idle` and `absolute`: as of `sessions()`, milliseconds. */
  sessions?: boolean | { idle?: number; absolute?: number };
}
const DAY_MS = 86_400_000;

/** A connection to Redis, what counts attempts there, and, where that is configured, sessions. */
export function redis(options: RedisPluginOptions = {}): PluginList {
  checkOptions("redis", options, {
    url: option.string,
    prefix: option.string,
    limits: option.boolean,
    sessions: {
      expected: "true, false or { idle, absolute } in milliseconds",
      check: (value: unknown) => typeof value === "boolean" || (typeof value === "object" && value !== null),
    },
  });
  const { limits = true, sessions = false } = options;
  const lifetimes = typeof sessions === "object" ? sessions : {};
  return definePlugins([
    connectionPlugin(options),
    ...(limits ? [limitsPlugin()] : []),
    ...(sessions === false ? [] : [sessionsPlugin({ idle: 14 * DAY_MS, absolute: 60 * DAY_MS, ...lifetimes })]),
  ]);
}

const connectionPlugin = ({ url: given, prefix = "fw:" }: RedisPluginOptions) =>
  definePlugin({
    name: "redis",
    env: { REDIS_URL: env.url({ optional: true }) },
    uses: ["host"],
    provides: "redis",
    apply({ services: { host }, hooks, env: { REDIS_URL }, onClose }) {
      const url = given === undefined ? REDIS_URL : URL.canParse(given) ? new URL(given) : undefined;
      if (url === undefined || !/^rediss?:$/.test(url.protocol)) throw errors.FW_REDIS_URL();
      const connection = new Connection({ url, prefix, log: (level, message) => host?.log[level](message) });
      onClose(() => connection.close());
      hooks.kernel?.boot.tapPromise("redis", async () => void (await loadClient()));
      host?.health.add("redis", () =>
        connection
          .run((client) => client.ping())
          .then(
            () => undefined,
            (error: unknown) => messageOf(error),
          ),
      );
      return connection;
    },
  });

const limitsPlugin = () =>
  definePlugin({
    name: "redis limits",
    requires: ["redis"],
    provides: "limits",
    replaces: true,
    apply: ({ services: { redis }, settings }) => redisLimits({ redis, ...openDigests(settings, "limits") }),
  });

const sessionsPlugin = (lifetimes: { idle: number; absolute: number }) =>
  definePlugin({
    name: "redis sessions",
    requires: ["redis"],
    provides: "sessions",
    replaces: true,
    apply: ({ services: { redis }, settings }) => redisSessions(redis, settings, lifetimes),
  });
