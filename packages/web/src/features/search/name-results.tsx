import type { ReactNode } from 'react'
import { type CoversOfName, PicturedName } from '../../lists/named/pictured-name.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Grid } from '../../ui/layout/layout.tsx'

interface NameResultsProps {
  readonly icon: IconName
  readonly names: readonly {
    readonly id: string
    readonly name: string
    readonly covers: CoversOfName
    readonly hint: string
    readonly to: string
  }[]
}

/** It lists results that have a name and no cover of their own: people, collections, read lists. */
export const NameResults = ({ icon, names }: NameResultsProps): ReactNode => (
  <Grid as="ul" gap={2} min={17}>
    {names.map(({ id, ...name }) => (
      <li key={id}>
        <PicturedName icon={icon} {...name} />
      </li>
    ))}
  </Grid>
)
