/**
 * What an output schema may say about a field so that layer 3 leaves its value alone (payments contract, section 8, step 6).
 * A mark is checked against the value, not trusted: a value that is not of the marked form is scrubbed like free text.
 */
import { isBrandShapedPan } from './card-brands.ts';
import { NO_DEADLINE } from './deadline.ts';
import { fold } from './fold.ts';

export type Path = readonly (string | number)[];

/**
 * - `identifier`: exempt as a number (its column is an integer); as text when its length is outside 13 to 19, and always in the field `mid`.
 * - `integer_identifier`: identifier whose column type is integer or uuid, shown as text: exempt as plain digits and as a UUID.
 * - `foreign_identifier`: text identifier from elsewhere (risk's `transaction_id`); plain digits are masked only in a brand's shape.
 * - `instant`: ISO 8601 instant or date. - `money`: plain decimal text, integer minor units, or an object of these.
 */
export type FieldMark = 'identifier' | 'integer_identifier' | 'foreign_identifier' | 'instant' | 'money';

/** Tells of a field, by its path in the scrubbed value, what it is; `true` exempts it whatever it holds. */
export type ExemptFields = (path: Path) => FieldMark | boolean | undefined;

/** Characters an identifier is made of; a blank, `=`, `^` or a non-ASCII character makes it free text. */
const IDENTIFIER = /^[A-Za-z0-9._:/|@+#-]*$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

const isMid = (path: Path): boolean => {
  const name = path.at(-1);
  return typeof name === 'string' && name.toLowerCase() === 'mid';
};

/** Whether a string or an integer with something card-like in it stays as it is because of its field's mark. */
export const isExempt = (
  mark: FieldMark | boolean | undefined,
  path: Path,
  value: string | number | bigint,
): boolean => {
  if (mark === undefined || mark === false) return false;
  if (mark === true) return true;
  if (typeof value !== 'string') return mark !== 'foreign_identifier' && mark !== 'instant';
  switch (mark) {
    case 'identifier':
      return IDENTIFIER.test(value) && (isMid(path) || value.length < 13 || value.length > 19);
    case 'integer_identifier':
      return /^-?\d+$/.test(value) || UUID.test(value);
    case 'foreign_identifier': {
      const digits = fold(value, NO_DEADLINE).text;
      return /^\d{13,19}$/.test(digits) && !isBrandShapedPan(digits);
    }
    case 'instant':
      return INSTANT.test(value);
    case 'money':
      return DECIMAL.test(value);
  }
};
