const TIMEOUT_MS = 2000;

/** Whether a password is known elsewhere, as to a service that collects leaked ones. */
export type Lookup = (password: string) => boolean | Promise<boolean>;

/** A look-up that fails or hangs keeps nobody from signing up. Its message is not logged: it may quote the password. */
export async function askElsewhere(ask: Lookup, password: string, warn: (line: string) => void): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), TIMEOUT_MS);
  });
  try {
    const answer = await Promise.race([(async () => ask(password))(), late]);
    if (answer === "late") warn(`passwordComplexity({ isCommon }) took over ${TIMEOUT_MS} ms: ${TAKEN}`);
    return answer === true;
  } catch (error) {
    warn(`passwordComplexity({ isCommon }) failed with ${(error as Error)?.name ?? "no error"}: ${TAKEN}`);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

const TAKEN = "the password was taken without it";
