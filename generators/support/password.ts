import { usage } from "../errors.ts";

/** Reads stdin, without the final line break. @throws FW_STDIN_EMPTY */
export async function passwordFromStdin(): Promise<string> {
  if (process.stdin.isTTY) throw usage.FW_STDIN_EMPTY("--password-stdin", "a password");
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks)
    .toString("utf8")
    .replace(/\r?\n$/, "");
  if (text === "") throw usage.FW_STDIN_EMPTY("--password-stdin", "a password");
  return text;
}
