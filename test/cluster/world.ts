import { randomBytes } from "node:crypto";
import { cleanEnv, runIn } from "../generators/production.ts";
import { GaleraCluster } from "../support/galera.ts";
import { freePort } from "../support/processes.ts";
import { OwnRedis } from "../support/redis.ts";
import { generateApplication } from "./application.ts";
import { Bucket } from "./bucket.ts";
import { Inbox } from "./inbox.ts";
import { Nginx } from "./nginx.ts";
import { PASSWORD, type People } from "./people.ts";
import { Processes } from "./processes.ts";

const PROCESSES = 3;

/** All that serves: every part is a process of this machine on loopback, which ends with `stop()`. */
export interface World {
  readonly app: string;
  readonly env: NodeJS.ProcessEnv;
  readonly galera: GaleraCluster;
  readonly redis: OwnRedis;
  readonly bucket: Bucket;
  readonly inbox: Inbox;
  readonly processes: Processes;
  readonly nginx: Nginx;
  stop(): Promise<void>;
}

/** Starts everything, with the accounts of these people; what was started is stopped where a part fails. */
export async function openWorld(people: People, note: (line: string) => void): Promise<World> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of undo.splice(0).reverse()) await end();
  };
  const started = async <T>(name: string, part: Promise<T>, end: (part: T) => Promise<void>): Promise<T> => {
    const running = await part;
    undo.push(() => end(running));
    note(`${name} is there`);
    return running;
  };
  try {
    const galera = await started("the cluster of three nodes", GaleraCluster.start(3), (part) => part.stop());
    const redis = await started("Redis", OwnRedis.start("cluster"), (part) => part.remove());
    const bucket = await started("the S3 server", Bucket.start(), (part) => part.stop());
    const inbox = await started("the mail server", Inbox.start(), (part) => part.stop());
    const app = await generateApplication();
    const env = { ...settings(galera, redis), ...bucket.settings, ...inbox.settings };
    await runIn(app, env, ["db:migrate"]);
    const seeded = { people: people.all, tenants: people.tenants, password: PASSWORD };
    await runIn(app, { ...env, CLUSTER_PEOPLE: JSON.stringify(seeded) }, ["db:seed"]);
    note("the application is there");
    const ports: number[] = [];
    while (ports.length < PROCESSES) ports.push(await freePort());
    const processes = new Processes(app, env, ports);
    undo.push(() => processes.stop());
    await processes.startAll();
    const nginx = await started("nginx", Nginx.start(app, ports), (part) => part.stop());
    return { app, env, galera, redis, bucket, inbox, processes, nginx, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** As `deploy/app.env.example` has them. */
function settings(galera: GaleraCluster, redis: OwnRedis): NodeJS.ProcessEnv {
  const hosts = galera.urls.map((url) => new URL(url).host).join(",");
  return cleanEnv({
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    APP_URL: "https://shop.test",
    TRUST_PROXY: "1",
    SECRET_KEY_BASE: randomBytes(32).toString("hex"),
    DATABASE_URL: `mysql://root@${hosts}/test${process.env.FW_CLUSTER_HOSTS ? `?hosts=${process.env.FW_CLUSTER_HOSTS}` : ""}`,
    REDIS_URL: redis.url,
    LOG_LEVEL: "info",
  });
}
