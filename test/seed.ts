/**
 * The seed of a random test. `npm run test:deep` draws another one each time and prints it; `AXIOM_SEED=n` before a
 * command repeats what it found. The first tier looks with the same seed each time.
 */
export function seedOr(usual: number): number {
  return Number(process.env.AXIOM_SEED ?? usual)
}
