import type { SearchResults } from '@carrel/api'
import type { ReactNode } from 'react'
import { seriesCover } from '../../lists/item/addresses.ts'
import { AppLink } from '../../navigation/link.tsx'
import { CoverPair } from '../../ui/cover/cover-pair.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Center, Grid, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import styles from './found-names.module.css'

interface FoundNamesProps {
  readonly icon: IconName
  readonly names: readonly {
    readonly id: string
    readonly name: string
    readonly covers: SearchResults['people'][number]['covers']
    readonly hint: string
    readonly to: string
  }[]
}

/** The width is that of the picture in the list. */
const pictureWidth = 32

/** It lists results that have a name and no cover of their own: people, collections, read lists. */
export const FoundNames = ({ icon, names }: FoundNamesProps): ReactNode => (
  <Grid as="ul" gap={2} min={17}>
    {names.map(({ id, name, hint, to, covers }) => (
      <li key={id}>
        <Row as={AppLink} gap={3} to={to} className={styles.name}>
          {covers.length === 0 ? (
            <Center as="span" className={styles.picture}>
              <Icon name={icon} />
            </Center>
          ) : (
            <CoverPair
              icon={icon}
              covers={covers.map(({ seriesId, coverVersion, placeholder }) => ({
                src: seriesCover({ id: seriesId, coverVersion }, pictureWidth),
                thumbhash: placeholder,
              }))}
            />
          )}
          <Stack as="span" grow>
            <Text as="bdi" lines={1} className={styles.text}>
              {name}
            </Text>{' '}
            <Text as="span" quiet size={13}>
              {hint}
            </Text>
          </Stack>
        </Row>
      </li>
    ))}
  </Grid>
)
