import { dispatchTime, hooksTime } from "../bench/micro.ts";
import { assert, describe } from "../support/index.ts";

const SLACK = 0.3; // microseconds: a machine that is busy measures less sharply than that

describe("speed", (it) => {
  it("finds a route among 10,000 as fast as among 10", () => {
    const few = dispatchTime(10);
    for (const routes of [1_000, 10_000]) {
      const many = dispatchTime(routes);
      assert.ok(many <= few * 2 + SLACK, `${many} µs of ${routes} routes, ${few} of 10`);
    }
  });

  it("spends less than 5 µs on all hooks of a request", () => {
    const time = hooksTime();
    assert.ok(time < 5, `${time} µs`);
  });
});
