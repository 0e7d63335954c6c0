/** GERG-2008, AGA8, IF97 and the reference equations of pure fluids against published values. */

import { Aga8Detail, aga8Components, createAga8 } from '../../src/engineering/thermo/models/aga8/aga8-detail.ts';
import { createGerg2008, Gerg2008, gergComponents } from '../../src/engineering/thermo/models/gerg2008/gerg2008.ts';
import { newCaloricState } from '../../src/engineering/thermo/models/helmholtz/caloric.ts';
import { referenceFluid } from '../../src/engineering/thermo/models/helmholtz/reference-fluid.ts';
import { backwardTph1, backwardTph2 } from '../../src/engineering/thermo/models/if97/backward.ts';
import {
  steamSaturationPressure,
  steamSaturationTemperature,
} from '../../src/engineering/thermo/models/if97/boundaries.ts';
import { region3State } from '../../src/engineering/thermo/models/if97/region3.ts';
import { steamState } from '../../src/engineering/thermo/models/if97/steam.ts';
import {
  caloricValue,
  fractions,
  type PublishedCase,
  publishedCases,
} from '../../test/engineering/thermo/published-cases.ts';
import { Deviations } from './deviations.ts';

export function referenceModelRows() {
  const found = new Deviations();
  for (const c of publishedCases('gerg2008.jsonl'))
    found.add('GERG2008', c.what, '%', c.id, c.expect.value, () => gerg(c));
  for (const c of publishedCases('aga8-detail.jsonl'))
    found.add('AGA8', c.what, '%', c.id, c.expect.value, () => aga8(c));
  for (const c of publishedCases('iapws.jsonl')) {
    if (c.what.includes('IAPWS-95')) {
      const what = c.what.startsWith('pressure') ? 'pressure' : 'specific entropy';
      found.add('HELMHOLTZ (water)', what, '%', c.id, c.expect.value, () => iapws95(c));
    } else found.add('IF97', c.what, '%', c.id, c.expect.value, () => steam(c));
  }
  return found.rows();
}

function gerg({ what, input }: PublishedCase): number {
  const components = gergComponents(Object.keys(input.composition!));
  const x = fractions(input.composition!);
  const model = new Gerg2008(components);
  const state = newCaloricState();
  const rho = createGerg2008(components).density(input.T_K!, input.p_kPa! * 1e3, x, 'stable');
  model.properties(input.T_K!, rho, x, state);
  return caloricValue(what, state, model.molarMass(x));
}

function aga8({ what, input }: PublishedCase): number {
  const components = aga8Components(Object.keys(input.composition!));
  const x = fractions(input.composition!);
  const model = new Aga8Detail(components);
  const state = newCaloricState();
  const rho = createAga8(components).density(input.T_K!, input.p_kPa! * 1e3, x, 'stable');
  model.properties(input.T_K!, rho, x, state);
  return caloricValue(what, state, model.molarMass(x));
}

function iapws95({ what, input }: PublishedCase): number {
  const water = referenceFluid('water');
  const s = water.properties(input.T_K!, input.rho_kg_m3! / water.M);
  return what.startsWith('pressure') ? s.p / 1e6 : s.s / water.M / 1e3;
}

function steam({ what, input: { T_K, p_MPa, h_kJ_kg, rho_kg_m3 } }: PublishedCase): number {
  if (what === 'saturation pressure') return steamSaturationPressure(T_K!) / 1e6;
  if (what === 'saturation temperature') return steamSaturationTemperature(p_MPa! * 1e6);
  if (what === 'temperature from p and h') {
    const h = h_kJ_kg! * 1e3;
    return h < 1.7e6 ? backwardTph1(p_MPa! * 1e6, h) : backwardTph2(p_MPa! * 1e6, h);
  }
  const s = rho_kg_m3 === undefined ? steamState(T_K!, p_MPa! * 1e6) : region3State(T_K!, rho_kg_m3);
  const values: Readonly<Record<string, number>> = {
    'specific volume': s.v,
    'specific enthalpy': s.h / 1e3,
    'specific entropy': s.s / 1e3,
    'isobaric heat capacity': s.cp / 1e3,
    'speed of sound': s.w,
    pressure: s.p / 1e6,
  };
  return values[what] ?? Number.NaN;
}
