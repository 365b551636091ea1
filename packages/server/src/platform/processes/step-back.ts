import { getPriority, setPriority } from 'node:os'

/**
 * This process lets others go first. One that was started politer still, as by `nice` or a unit with `Nice=`, stays so: nobody but the
 * superuser may take that back.
 */
export const stepBackTo = (niceness: number): void => {
  if (getPriority() < niceness) setPriority(niceness)
}
