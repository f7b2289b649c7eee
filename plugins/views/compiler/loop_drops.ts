import { Drop } from "liquidjs";

/** `forloop`, as liquidjs has it: its own class is not exported. */
export class ForloopDrop extends Drop {
  protected i = 0;
  readonly length: number;
  readonly name: string;

  constructor(length: number, collection: string, variable: string) {
    super();
    this.length = length;
    this.name = `${variable}-${collection}`;
  }

  next(): void {
    this.i++;
  }
  index0(): number {
    return this.i;
  }
  index(): number {
    return this.i + 1;
  }
  first(): boolean {
    return this.i === 0;
  }
  last(): boolean {
    return this.i === this.length - 1;
  }
  rindex(): number {
    return this.length - this.i;
  }
  rindex0(): number {
    return this.length - this.i - 1;
  }
  override valueOf(): unknown {
    return JSON.stringify(this);
  }
}

/** `tablerowloop`. */
export class TablerowDrop extends ForloopDrop {
  readonly cols: number;

  constructor(length: number, cols: number, collection: string, variable: string) {
    super(length, collection, variable);
    this.cols = cols;
  }

  row(): number {
    return Math.floor(this.i / this.cols) + 1;
  }
  col0(): number {
    return this.i % this.cols;
  }
  col(): number {
    return this.col0() + 1;
  }
  col_first(): boolean {
    return this.col0() === 0;
  }
  col_last(): boolean {
    return this.col() === this.cols;
  }
}
