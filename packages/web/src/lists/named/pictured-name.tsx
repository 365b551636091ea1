import type { SearchResults } from '@carrel/api'
import type { ReactNode } from 'react'
import { AppLink } from '../../navigation/link.tsx'
import { CoverPair } from '../../ui/cover/cover-pair.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Center, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { seriesCover } from '../item/addresses.ts'
import styles from './pictured-name.module.css'

export type CoversOfName = SearchResults['people'][number]['covers']

interface PicturedNameProps {
  /** It stands for the covers where there is none. */
  readonly icon: IconName
  readonly name: string
  readonly covers: CoversOfName
  readonly hint: string
  readonly to: string
}

/** The width is that of the picture in the list. */
const pictureWidth = 32

/** A line that leads to what has a name and no cover of its own: somebody, a genre, a list. */
export const PicturedName = ({ icon, name, covers, hint, to }: PicturedNameProps): ReactNode => (
  <Row as={AppLink} gap={3} to={to} className={styles.name}>
    {covers.length === 0 ? (
      <Center as="span" className={styles.picture}>
        <Icon name={icon} />
      </Center>
    ) : (
      <CoverPair
        icon={icon}
        isPatient
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
)
