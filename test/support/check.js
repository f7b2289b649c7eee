// `npm run check`, after types and lint: the rules of the tree that no linter knows. One line a problem.
import { layerProblems } from "./checks/layers.js";

const problems = [...new Set([...layerProblems()])];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
