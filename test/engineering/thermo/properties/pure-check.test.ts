import t from 'tap';
import {
  checkPure,
  componentNames,
  createFluid,
  flashTP,
  getComponent,
  isEngineError,
  type PureCheck,
} from '../../../../src/engineering/thermo/index.ts';

t.test('ordinary fluids come out near both figures', async (t) => {
  for (const model of ['SRK', 'PR', 'PCSAFT'] as const)
    for (const name of ['propane', 'n-butane', 'n-hexane', 'n-octane', 'nC10', 'benzene', 'toluene', 'methane']) {
      const { density, boilingPressureRatio } = checkPure(model, name);
      t.ok(Math.abs(boilingPressureRatio! - 1) < 0.06, `${model} ${name} ${boilingPressureRatio}`);
      t.equal(density === undefined, getComponent(name).Tc < 320, `${name}: a density of liquids alone`);
      if (density)
        t.ok(Math.abs(density.computed / density.tabulated! - 1) < 0.06, `${model} ${name} ${density.computed}`);
    }
});

t.test('what a model misses shows in the figures', async (t) => {
  const methanol = checkPure('SRK', 'methanol').density!;
  // CRC Handbook: 0.7956 g/cm3 at 15 C.
  t.ok(Math.abs(methanol.tabulated! - 795.6) < 1 && methanol.computed > 900);
  t.ok(Math.abs(checkPure('CPA', 'methanol').density!.computed / 795.6 - 1) < 0.02, 'CPA is fitted to it');
  // CRC Handbook: 13.56 g/cm3 at 15 C; the first column of the table holds a default there.
  t.ok(checkPure('PR', 'mercury').density!.tabulated! > 13_000);
  t.match(checkPure('PR', 'nC30').density, { tabulated: undefined, computed: Number }, 'shift beyond its correlation');
  t.ok(checkPure('SRK', 'TEG').boilingPressureRatio! < 0.5, 'glycols need association');
});

t.test('there is no ratio where there is no boiling point in the range', async (t) => {
  t.equal(checkPure('SRK', 'CO2').boilingPressureRatio, undefined, 'it sublimes');
  t.equal(checkPure('PCSAFT', 'helium').boilingPressureRatio, undefined, 'below the range');
});

t.test('every component of every model is checked without a fault', async (t) => {
  for (const model of ['SRK', 'PR', 'CPA', 'GERG2008'] as const)
    for (const name of componentNames()) {
      let check: PureCheck;
      try {
        check = checkPure(model, name);
      } catch (error) {
        t.ok(isEngineError(error), `${model} ${name}`);
        continue;
      }
      const { density, boilingPressureRatio: ratio } = check;
      t.ok((ratio ?? 1) > 0 && (density?.computed ?? 1) > 0, `${model} ${name}`);
    }
});

t.test('heavy alkanes without CPA parameters have liquid densities too', async (t) => {
  for (const [name, rho] of [
    ['nC14', 765.5],
    ['nC16', 773.8],
    ['nC20', 788.1],
    ['nC24', 798.4],
  ] as const) {
    const { density } = flashTP(createFluid({ components: { [name]: 1 }, model: 'CPA' }), 288.15, 1e5).phases[0]!;
    t.ok(Math.abs(density / rho - 1) < 0.1, `${name}: ${density} kg/m3, tabulated ${rho}`);
  }
});

t.test('what boils below 15 C is compared at its own vapour pressure', async (t) => {
  const ammonia = checkPure('SRK', 'ammonia').density!;
  // NIST WebBook: 618 kg/m3 saturated at 15 C.
  t.ok(Math.abs(ammonia.tabulated! - 618) < 2 && ammonia.computed > 700, `${ammonia.computed}`);
  t.ok(Math.abs(checkPure('PCSAFT', 'ammonia').density!.computed / 618 - 1) < 0.03);
});

t.test('critical points: cubic equations meet the table, CPA and PC-SAFT lie above it', async (t) => {
  for (const name of ['propane', 'water', 'methanol', 'n-hexane']) {
    for (const model of ['SRK', 'PR'] as const) {
      const { temperatureRatio, pressureRatio } = checkPure(model, name).critical!;
      t.ok(Math.abs(temperatureRatio - 1) < 1e-3 && Math.abs(pressureRatio - 1) < 1e-2, `${model} ${name}`);
    }
    t.ok(checkPure('CPA', name).critical!.temperatureRatio > 1.02, name);
  }
  const water = checkPure('PCSAFT', 'water').critical!;
  t.ok(Math.abs(water.temperatureRatio * 647.1 - 697.4) < 1 && water.pressureRatio > 1.6, `${water.temperatureRatio}`);
});
