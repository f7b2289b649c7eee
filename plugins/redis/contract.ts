import type { Redis as IoRedis, RedisOptions } from "ioredis";

/** A connection of the package "ioredis". */
export type RedisClient = IoRedis;

declare module "framewright/kernel" {
  interface Slots {
    redis: { service: Redis };
  }
}

/** How commands are run. */
export interface RunOptions {
  /** The commands may be run twice, as those that read: they are run again where their answer was lost. */
  isRepeatable?: boolean;
}

/** The slot's service: one connection for all plugins, opened by its first command. */
export interface Redis {
  /**
   * Runs commands: `redis.run((client) => client.get(redis.key("counts")))`.
   * A restart is waited for: at most two seconds, and no longer than that from its start.
   * @throws FW_REDIS_AWAY (503) within two seconds when Redis does not answer; they may have been carried out all the same
   */
  run<T>(work: (client: RedisClient) => PromiseLike<T>, options?: RunOptions): Promise<T>;
  /** Opens another connection to the same server, as for commands that block. Whoever opens it closes it. */
  connect(options?: RedisOptions): Promise<RedisClient>;
  /** A key of this application: what is given, behind the prefix. */
  key(name: string): string;
}
