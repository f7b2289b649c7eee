// `npm run check`, after types and lint: the rules of the tree that no linter knows. One line a problem.
import { documentationProblems } from "./checks/documentation.ts";
import { layerProblems } from "./checks/layers.ts";
import { moduleStateProblems } from "./checks/module_state.ts";
import { outsiderProblems } from "./checks/outsiders.ts";
import { publicNameProblems } from "./checks/public_names.ts";
import { referenceToPlansProblems } from "./checks/references.ts";
import { textProblems } from "./checks/texts.ts";
import { referenceProblems } from "./reference/index.ts";

const problems = [
  ...layerProblems(),
  ...referenceToPlansProblems(),
  ...documentationProblems(),
  ...outsiderProblems(),
  ...textProblems(),
  ...publicNameProblems(),
  ...moduleStateProblems(),
  ...(await referenceProblems()),
];
for (const problem of new Set(problems)) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
