import { join, relative, sep } from "node:path";
import type { RecordedDecision, RecordedRequest, RecordedTemplate } from "../recording/recorded_request.ts";
import { toneOf } from "./list_view.ts";
import { repeatedStatements } from "./repeated.ts";

const framework = join(import.meta.dirname, "../../..");
const total = (times: readonly (number | undefined)[]): string =>
  times.reduce<number>((sum, time = 0) => sum + time, 0).toFixed(1);

/** A request as its page shows it; `root` is the application's folder. */
export function requestView(request: RecordedRequest, root: string) {
  const { statements, templates, hooks, decisions, dropped } = request;
  const repeated = repeatedStatements(statements);
  return {
    ...request,
    repeated,
    tone: toneOf(request.status),
    time: request.milliseconds.toFixed(1),
    query: request.query.map(([name, value]) => ({ name, value })),
    statementCount: statements.length + dropped.statements,
    statementTime: total(statements.map(({ milliseconds }) => milliseconds)),
    statements: statements.map((one) => ({
      ...one,
      values: one.values.join(", "),
      time: one.milliseconds?.toFixed(2),
      times: repeated.find(({ sql }) => sql === one.sql)?.times,
    })),
    templateTime: total(templates.map(({ milliseconds }) => milliseconds)),
    templates: templates.map((one) => templateView(one, root)),
    hooks: [...hooks]
      .sort((a, b) => b.milliseconds - a.milliseconds)
      .map((one) => ({ ...one, time: one.milliseconds.toFixed(2) })),
    refused: decisions.filter(({ kind }) => kind === "refused").length,
    decisions: [...decisions]
      .sort((a, b) => rankOf(a) - rankOf(b))
      .map((one) => ({
        ...one,
        tone: one.kind === "refused" ? "warning" : one.kind === "allowed" ? "success" : "info",
      })),
  };
}

function templateView({ file, rank, milliseconds, partials }: RecordedTemplate, root: string) {
  const named = (path: string) => placeOf(path, root);
  return {
    file: named(file),
    rank,
    time: milliseconds.toFixed(2),
    partials: partials.map((one) => ({ file: named(one.file), rank: one.rank })),
  };
}

/** A file by its path in the application, or in the package that it is of. */
function placeOf(file: string, root: string): string {
  const inPackage = file.split(`${sep}node_modules${sep}`).at(-1)!;
  if (file.startsWith(root + sep)) return inPackage === file ? relative(root, file) : inPackage;
  return file.startsWith(framework + sep) ? join("framewright", relative(framework, file)) : inPackage;
}

/** What was refused comes first. */
const rankOf = ({ kind }: RecordedDecision): number => (kind === "refused" ? 0 : 1);
