import { randomBytes } from "node:crypto";
import { definePlugins, openKernel, type Plugin, type Settings } from "framewright/kernel";
import { type BullmqOptions, bullmq } from "framewright/plugins/bullmq";
import { database } from "framewright/plugins/database";
import { redis } from "framewright/plugins/redis";
import { driverPlugins } from "../../support/databases.ts";
import { type OpenedJobs, secret } from "../jobs/support.ts";

export const newPrefix = (): string => `fw-test-${randomBytes(6).toString("hex")}:`;

export interface OpenBullmqOptions extends BullmqOptions {
  /** Keys in Redis; two processes of one application have the same. */
  prefix?: string;
  plugins?: readonly Plugin[];
}

/** Jobs in Redis over a database. Two of these with one prefix are two processes of an application. */
export async function openBullmq(
  root: string,
  { url, redisUrl }: { url: string; redisUrl: string },
  { prefix = newPrefix(), plugins = [], ...options }: OpenBullmqOptions = {},
): Promise<OpenedJobs> {
  const settings = { root, env: "test", databaseUrl: url, secrets: [secret] } as unknown as Settings;
  const listed = [database(), ...(await driverPlugins(url)), redis({ url: redisUrl, prefix }), bullmq(options)];
  const kernel = await openKernel(definePlugins([...listed, ...plugins]), { settings });
  return { kernel, jobs: kernel.service("jobs"), database: kernel.service("database") };
}
