const TIMEOUT_MS = 2000;

/** An application's check of a password, as by a service that collects leaked ones. */
export type Lookup = (password: string) => boolean | Promise<boolean>;

/** Runs the application's check. One that fails or hangs does not block a sign-up. Its message is not logged: it may quote the password. */
export async function runLookup(lookup: Lookup, password: string, warn: (line: string) => void): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), TIMEOUT_MS);
  });
  try {
    const answer = await Promise.race([(async () => lookup(password))(), late]);
    if (answer === "late") warn(`passwordComplexity({ isCommon }) took over ${TIMEOUT_MS} ms: ${SKIPPED}`);
    return answer === true;
  } catch (error) {
    warn(`passwordComplexity({ isCommon }) failed with ${(error as Error)?.name ?? "no error"}: ${SKIPPED}`);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

const SKIPPED = "the password was accepted without this check";
