// The process that runs slow selects for node:sqlite, which has no threads of its own and can't interrupt a statement: it is
// ended instead. Plain JavaScript, so that it runs from the sources and from dist/.
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";

const MAX_STATEMENTS = 50;
/** Milliseconds between two looks at whether the parent process is still there. */
const LOOK_MS = 1000;
const [file, pragmas, parent] = JSON.parse(process.argv[2]);
const database = new DatabaseSync(file);
for (const pragma of pragmas) database.exec(pragma);
const statements = new Map();

// The signals of a service go to all of its processes, and this one is needed until its parent has answered.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
// A select keeps this thread from noticing that the channel was closed.
const WATCH = `const { workerData: { parent, every } } = require("node:worker_threads");
  setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), every);`;
new Worker(WATCH, { eval: true, execArgv: [], workerData: { parent, every: LOOK_MS } }).unref();

function prepare(sql) {
  const known = statements.get(sql);
  if (known) return known;
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  if (statements.size >= MAX_STATEMENTS) statements.delete(statements.keys().next().value);
  statements.set(sql, statement);
  return statement;
}

/** A number that would be rounded is refused: all are read as bigint then. */
function read(sql, bindings) {
  const statement = prepare(sql);
  try {
    return statement.all(...bindings);
  } catch (error) {
    if (error.code !== "ERR_OUT_OF_RANGE") throw error;
  }
  statement.setReadBigInts(true);
  try {
    return statement.all(...bindings);
  } finally {
    statement.setReadBigInts(false);
  }
}

process.on("message", ({ sql, bindings }) => {
  try {
    process.send({ lists: read(sql, bindings) });
  } catch ({ message, code, errcode }) {
    process.send({ failure: { message, code, errcode } });
  }
});
process.send({ isReady: true });
