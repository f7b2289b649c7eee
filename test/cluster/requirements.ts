import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { reasonToSkip, redisPath } from "../support/requirements.ts";

const packages = [
  "@20minutes/s3rver",
  "@aws-sdk/client-s3",
  "@aws-sdk/s3-request-presigner",
  "bullmq",
  "ioredis",
  "smtp-server",
];

/** What this machine lacks, each with the line that installs it. */
export async function missing(): Promise<string[]> {
  const servers = await Promise.all((["nginx", "galera"] as const).map((name) => reasonToSkip(name)));
  if (!existsSync(redisPath)) servers.push("needs redis: apt-get install redis-server"); // one that may be restarted
  const { resolve } = createRequire(import.meta.url);
  const absent = packages.filter((name) => {
    try {
      return !resolve(name);
    } catch (error) {
      return (error as { code?: string }).code === "MODULE_NOT_FOUND";
    }
  });
  const lines = absent.map((name) => `needs the package ${name}: npm ci installs it, as one of development`);
  return [...servers.filter((reason) => reason !== undefined), ...lines];
}
