/** Why a file is refused: the key of a text below `resource.import.file`, and what the text needs. */
export class Refused extends Error {
  constructor(problem, vars = {}) {
    super(problem);
    Object.assign(this, { problem, vars });
  }
}
