import { getPriority, setPriority } from 'node:os'

/** Processes that work in the background hear by it that they have their share like all others. */
const variable = 'CARREL_BACKGROUND_PRIORITY'
let hasNormalPriority = process.env[variable] === 'normal'

/** From now on neither this process nor those that it starts step back. */
export const keepPriority = (): void => {
  hasNormalPriority = true
}

/** It is for the environment of processes that this one starts. */
export const priorityToPassOn = (): Record<string, string> => (hasNormalPriority ? { [variable]: 'normal' } : {})

/**
 * This process lets others go first. One that was started politer still, as by `nice` or a unit with `Nice=`, stays so: nobody but the
 * superuser may take that back.
 */
export const stepBackTo = (niceness: number): void => {
  if (!hasNormalPriority && getPriority() < niceness) setPriority(niceness)
}
