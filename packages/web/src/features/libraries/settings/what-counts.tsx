import { fileFormats } from '@carrel/api'
import { Checkbox, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Grid, Stack } from '../../../ui/layout/layout.tsx'
import type { PartProps } from './fields.ts'
import styles from './settings-page.module.css'

/** These settings say which files are books here, and what a scan skips. */
export const WhatCounts = ({ draft, onChange }: PartProps): ReactNode => (
  <>
    <Formats draft={draft} onChange={onChange} />
    <Exclude key={draft.exclude.join('\n')} draft={draft} onChange={onChange} />
  </>
)

const Formats = ({ draft: { formats }, onChange }: PartProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const nameOf = (format: (typeof fileFormats)[number]): string =>
    format === 'folder' ? t('formats.folder') : format.toUpperCase()
  return (
    <Stack as="fieldset" gap={3} className={styles.group}>
      <legend>{t('formats.title')}</legend>
      <Checkbox
        label={t('formats.all')}
        checked={formats === null}
        onChange={({ currentTarget }) => onChange({ formats: currentTarget.checked ? null : [...fileFormats] })}
      />
      {formats === null ? null : (
        <Grid gap={3} min={9} className={styles.formats}>
          {fileFormats.map((format) => (
            <Checkbox
              key={format}
              label={nameOf(format)}
              checked={formats.includes(format)}
              // The last format cannot be removed: without any there would be no library.
              disabled={formats.length === 1 && formats.includes(format)}
              onChange={({ currentTarget }) =>
                onChange({
                  formats: fileFormats.filter((each) =>
                    each === format ? currentTarget.checked : formats.includes(each),
                  ),
                })
              }
            />
          ))}
        </Grid>
      )}
    </Stack>
  )
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** While somebody types, the text is theirs: an empty line is the beginning of the next pattern. */
const Exclude = ({ draft, onChange }: PartProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const [text, setText] = useState(draft.exclude.join('\n'))
  return (
    <Textarea
      label={t('exclude.title')}
      description={t('exclude.text')}
      classNames={{ input: styles.patterns ?? '' }}
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => onChange({ exclude: linesOf(text) })}
    />
  )
}
