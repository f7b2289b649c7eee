import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_REDIS_URL: () =>
    'redis() needs the address of a server. Set REDIS_URL, as in redis://127.0.0.1:6379/0 or rediss://user:password@host:6380/0, or give it: redis({ url: "…" }).',
  FW_REDIS_PACKAGE: () => 'redis() needs the package "ioredis", and it is not installed. Run: npm install ioredis',
  FW_REDIS_AWAY: (reason: string) =>
    `Redis does not answer (${reason}). It is tried again by itself; check that the server runs, and REDIS_URL.`,
});
