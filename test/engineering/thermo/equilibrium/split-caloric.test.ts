import t from 'tap';
import { SplitCaloric } from '../../../../src/engineering/thermo/equilibrium/split-caloric.ts';
import { createFluid, splitTP } from '../../../../src/engineering/thermo/index.ts';
import { FLUIDS } from '../fluids.ts';

t.test('slopes along equilibrium are those of neighbouring flashes, for one, two and three phases', async (t) => {
  const met = new Set<number>();
  for (const [name, components] of Object.entries(FLUIDS)) {
    const fluid = createFluid({ components, model: 'SRK' });
    const caloric = new SplitCaloric(fluid.eos, fluid.calculator);
    const at = (T: number, p: number) => {
      caloric.evaluate(splitTP(fluid, T, p));
      return { h: caloric.h, s: caloric.s, v: caloric.v };
    };
    for (const [T, p] of [
      [250, 30e5],
      [300, 50e5],
      [280, 5e5],
    ] as const) {
      met.add(splitTP(fluid, T, p).phases.length);
      at(T, p);
      const { dhdT, dvdT, dvdp } = caloric;
      const [up, down] = [at(T + 1e-3, p), at(T - 1e-3, p)];
      const [more, less] = [at(T, p + 50), at(T, p - 50)];
      const near = (value: number, difference: number, what: string) =>
        t.ok(Math.abs(value / difference - 1) < 1e-6, `${name} at ${T} K, ${what}: ${value} and ${difference}`);
      near(dhdT, (up.h - down.h) / 2e-3, 'dh/dT');
      near(dhdT / T, (up.s - down.s) / 2e-3, 'ds/dT');
      near(dvdT, (up.v - down.v) / 2e-3, 'dv/dT');
      near(dvdp, (more.v - less.v) / 100, 'dv/dp');
    }
  }
  t.same([...met].sort(), [1, 2, 3]);
});
