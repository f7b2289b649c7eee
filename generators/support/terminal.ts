import { AsyncLocalStorage } from "node:async_hooks";
import { usage } from "../errors.ts";
import type { Change, Conflict } from "./changes.ts";
import { unifiedDiff } from "./diff.ts";

/** Whether somebody can answer a question. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

const isColoured = () => process.stdout.isTTY === true && !process.env.NO_COLOR;
const paint = (code: number) => (text: string) => (isColoured() ? `\u001b[${code}m${text}\u001b[0m` : text);
export const [bold, dim, red, green, yellow, cyan] = [paint(1), paint(2), paint(31), paint(32), paint(33), paint(36)];

/** One answer that a question offers. */
export interface Choice {
  value: string;
  label: string;
  hint?: string;
}

/** The answer to one question. */
export interface Answer {
  question: string;
  answer: string;
}
interface AnswerLog {
  given: Answer[];
  /** Answers of an earlier run, taken in their order; nothing is asked then. */
  earlier: Answer[] | undefined;
}
/** Module-level: it follows a generator through code that is handed nothing. */
const answerLog = new AsyncLocalStorage<AnswerLog>();

/** Runs `work` and adds to `given` what is answered in it. With answers of an earlier run, asks nothing. */
export const withAnswers = <T>(given: Answer[], earlier: readonly Answer[] | undefined, work: () => T): T =>
  answerLog.run({ given, earlier: earlier && [...earlier] }, work);

/** The answer of an earlier run, else that of the person at the terminal. */
async function answered(question: string, flags: readonly string[], prompt: () => Promise<string>): Promise<string> {
  const log = answerLog.getStore();
  const at = log?.earlier?.findIndex((known) => known.question === question) ?? -1;
  if (at >= 0) return log!.earlier!.splice(at, 1)[0]!.answer;
  if (log?.earlier || !isInteractive()) throw usage.FW_ANSWER_MISSING(question, flags);
  const answer = await prompt();
  log?.given.push({ question, answer });
  return answer;
}

/** @throws FW_ANSWER_MISSING without a terminal, naming the options that replace the question */
export function choose(question: string, choices: readonly Choice[], flags: readonly string[]): Promise<string> {
  return answered(question, flags, async () => {
    const { select, isCancel } = await import("@clack/prompts");
    const answer = await select({ message: question, options: [...choices] });
    if (isCancel(answer)) throw usage.FW_ANSWER_MISSING(question, flags);
    return answer;
  });
}

/** @throws FW_ANSWER_MISSING without a terminal, naming the options that replace the question */
export function ask(question: string, flags: readonly string[], placeholder = ""): Promise<string> {
  return answered(question, flags, async () => {
    const { text, isCancel } = await import("@clack/prompts");
    const answer = await text({
      message: question,
      placeholder,
      validate: (value) => (value ? undefined : "Enter a value"),
    });
    if (isCancel(answer)) throw usage.FW_ANSWER_MISSING(question, flags);
    return answer;
  });
}

/** Asks about each edited file that would be generated again. */
export async function settleConflicts(conflicts: readonly Change[]): Promise<Map<string, Conflict>> {
  const settled = new Map<string, Conflict>();
  for (const { path, before, after } of conflicts) {
    console.log(unifiedDiff(path, before, after));
    const answer = await choose(
      `${path} was edited. What shall become of it?`,
      [
        { value: "skip", label: "Leave it alone" },
        { value: "overwrite", label: "Overwrite it" },
        { value: "skip-all", label: "Leave it and all others alone" },
        { value: "overwrite-all", label: "Overwrite it and all others" },
      ],
      ["--force", "--skip"],
    );
    const decision = answer.startsWith("overwrite") ? "overwrite" : "skip";
    settled.set(path, decision);
    if (answer.endsWith("-all")) {
      for (const { path: other } of conflicts) if (!settled.has(other)) settled.set(other, decision);
      break;
    }
  }
  return settled;
}
