export interface Ran {
  code: number | null;
  out: string;
  err: string;
}
export function isShared(args: readonly string[]): boolean;
export function runShared(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ran>;
