/** What is written to stdout while `run` runs, as the log of an application that boots; it is written as well. */
export async function printedBy(run: () => Promise<unknown>): Promise<string> {
  const printed: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = ((chunk: string | Uint8Array) => {
    printed.push(String(chunk));
    return write(chunk);
  }) as typeof process.stdout.write;
  try {
    await run();
  } finally {
    process.stdout.write = write;
  }
  return printed.join("");
}
