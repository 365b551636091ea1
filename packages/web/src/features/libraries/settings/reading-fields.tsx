import { numberings, readingDirections, titleSources } from '@carrel/api'
import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Grid } from '../../../ui/layout/layout.tsx'
import type { PartProps } from './fields.ts'

/** These are defaults for books that do not say how they are read, or what they are called. */
export const ReadingFields = ({ draft, onChange }: PartProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <Grid gap={3} min={13} stretch align="end">
      <NativeSelect
        label={t('new.direction')}
        description={t('directionText')}
        value={draft.readingDirection}
        data={readingDirections.map((value) => ({ value, label: t(`direction.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ readingDirection: readingDirections.find((each) => each === value) ?? draft.readingDirection })
        }
      />
      <NativeSelect
        label={t('numbering.title')}
        description={t('numbering.text')}
        value={draft.numbering}
        data={numberings.map((value) => ({ value, label: t(`numbering.from.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ numbering: numberings.find((each) => each === value) ?? draft.numbering })
        }
      />
      <NativeSelect
        label={t('titles.title')}
        description={t('titles.text')}
        value={draft.titleFrom}
        data={titleSources.map((value) => ({ value, label: t(`titles.from.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ titleFrom: titleSources.find((each) => each === value) ?? draft.titleFrom })
        }
      />
    </Grid>
  )
}
