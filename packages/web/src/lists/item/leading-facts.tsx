import type { ReactNode } from 'react'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { leadingNames } from '../people.ts'

interface LeadingFactsOptions {
  readonly people: Parameters<typeof leadingNames>[0]
  /** All who had to do with it stand there. */
  readonly toAll: string
}

/** Who made a work, as the first facts in its head; how many more there are leads to all of them. */
export const leadingFacts = ({ people, toAll }: LeadingFactsOptions): readonly ReactNode[] => {
  const { names, others } = leadingNames(people)
  const shown = names.map((name) => (
    <strong key={name}>
      <AppLink to={paths.person(name)} dir="auto">
        {name}
      </AppLink>
    </strong>
  ))
  if (others.length === 0) return shown
  return [
    ...shown,
    <AppLink key="others" to={toAll} title={others.join(', ')}>
      +{others.length}
    </AppLink>,
  ]
}
