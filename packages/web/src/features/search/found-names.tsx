import type { ReactNode } from 'react'
import { AppLink } from '../../navigation/link.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Grid, Row, Text } from '../../ui/layout/layout.tsx'
import styles from './found-names.module.css'

interface FoundNamesProps {
  readonly icon: IconName
  readonly names: readonly {
    readonly id: string
    readonly name: string
    readonly hint: string
    readonly to: string
  }[]
}

/** It lists results that have a name and no cover: people, collections, read lists. */
export const FoundNames = ({ icon, names }: FoundNamesProps): ReactNode => (
  <Grid as="ul" gap={2} min={17}>
    {names.map(({ id, name, hint, to }) => (
      <li key={id}>
        <Row as={AppLink} gap={3} box to={to} className={styles.name}>
          <Icon name={icon} />
          <bdi className={styles.text}>{name}</bdi>
          <Text as="span" quiet size={13} className={styles.hint}>
            {hint}
          </Text>
        </Row>
      </li>
    ))}
  </Grid>
)
