import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { temporaryFolder } from "../generators/support.ts";
import { exitOf, freePort } from "../support/processes.ts";

const KEY = "S3RVER";

/** An S3 server with one bucket, in a process of its own. */
export class Bucket {
  readonly #port: number;
  readonly #client: S3Client;
  #child: ChildProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
    const credentials = { accessKeyId: KEY, secretAccessKey: KEY };
    const endpoint = `http://127.0.0.1:${port}`;
    this.#client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
  }
  static async start(): Promise<Bucket> {
    const bucket = new Bucket(await freePort());
    const server = join(import.meta.dirname, "../plugins/storage/fixtures/s3_server.js");
    bucket.#child = fork(server, [temporaryFolder(), String(bucket.#port), "any"], { execArgv: [] });
    await once(bucket.#child, "message");
    return bucket;
  }
  /** What the application is configured with. */
  get settings(): Record<string, string> {
    const login = { S3_ACCESS_KEY_ID: KEY, S3_SECRET_ACCESS_KEY: KEY };
    return { S3_BUCKET: "files", S3_ENDPOINT: `http://127.0.0.1:${this.#port}`, ...login };
  }
  /** The text of a file; undefined where there is none. */
  async text(key: string): Promise<string | undefined> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: "files", Key: key }));
      return await Body?.transformToString();
    } catch (error) {
      if ((error as Error).name === "NoSuchKey") return undefined;
      throw error;
    }
  }
  async keys(): Promise<string[]> {
    const keys: string[] = [];
    let after: string | undefined;
    do {
      const page = await this.#client.send(new ListObjectsV2Command({ Bucket: "files", StartAfter: after }));
      keys.push(...(page.Contents ?? []).map(({ Key }) => Key!));
      after = page.IsTruncated ? keys.at(-1) : undefined;
    } while (after !== undefined);
    return keys;
  }
  async stop(): Promise<void> {
    this.#client.destroy();
    this.#child?.kill("SIGKILL");
    if (this.#child) await exitOf(this.#child);
  }
}
