import { type ReaderLevel, type ReaderSettings, readerLevels } from '@carrel/api'
import { NativeSelect, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type PageLayout, usual } from '../../../reader/page-layout.ts'
import { Row, Stack } from '../../../ui/layout/layout.tsx'
import { backgrounds, directions, fits, spreadChoices, tapZoneChoices } from './choices.ts'
import styles from './settings-dialog.module.css'
import type { ReaderSettingsInUse } from './use-reader-settings.ts'

export interface FieldsProps {
  readonly level: ReaderLevel
  readonly settings: ReaderSettingsInUse
  readonly layout: PageLayout
  /** Pages are laid out by the book: there is less to say about them. */
  readonly isLaidOut?: boolean | undefined
}

/** The form shows only settings that make a difference to how the book is shown now. */
export const SettingsFields = (props: FieldsProps): ReactNode => {
  const { level, settings, layout, isLaidOut } = props
  const { t } = useTranslation('reader')
  const values = { ...usual, ...settings.effective }
  const isStrip = layout.direction === 'webtoon'
  const isSideways = layout.direction === 'ltr' || layout.direction === 'rtl'
  const save = (change: ReaderSettings): void => settings.save(level, change)
  return (
    <>
      {isLaidOut ? null : (
        <Choice {...props} name="direction" words={['auto', ...directions]} textOf={(word) => t(`direction.${word}`)} />
      )}
      {isSideways ? (
        <Choice {...props} name="spreads" words={spreadChoices} textOf={(word) => t(`spreads.${word}`)} />
      ) : null}
      {isStrip || isLaidOut ? null : <Choice {...props} name="fit" words={fits} textOf={(word) => t(`fit.${word}`)} />}
      <Choice {...props} name="background" words={backgrounds} textOf={(word) => t(`background.${word}`)} />
      {isStrip ? null : (
        <Choice {...props} name="tapZones" words={tapZoneChoices} textOf={(word) => t(`tapZones.${word}`)} />
      )}
      {isStrip || (layout.isDouble && !isLaidOut) ? (
        <Amount {...props} name="gap" max={100} text={t('settings.pixels', { count: values.gap })} />
      ) : null}
      {isStrip ? (
        <Amount {...props} name="sidePadding" max={45} text={t('settings.percent', { count: values.sidePadding })} />
      ) : null}
      {layout.isDouble && !isLaidOut ? (
        <Switch
          label={t('settings.coverAlone')}
          checked={values.coverAlone}
          onChange={({ currentTarget }) => save({ coverAlone: currentTarget.checked })}
        />
      ) : null}
    </>
  )
}

type WordSetting = 'direction' | 'spreads' | 'fit' | 'background' | 'tapZones'

interface ChoiceProps<Name extends WordSetting> extends FieldsProps {
  readonly name: Name
  readonly words: readonly Required<ReaderSettings>[Name][]
  readonly textOf: (word: Required<ReaderSettings>[Name]) => string
}

const Choice = <Name extends WordSetting>(props: ChoiceProps<Name>): ReactNode => {
  const { name, words, textOf, settings, level } = props
  const { t } = useTranslation('reader')
  const label: WordSetting = name
  return (
    <NativeSelect
      label={t(`settings.${label}`)}
      description={useNote(props)}
      value={settings.effective[name] ?? usual[name]}
      onChange={({ currentTarget }) => {
        const chosen = words.find((word) => word === currentTarget.value)
        if (chosen !== undefined) settings.save(level, { [name]: chosen })
      }}
      data={words.map((word) => ({ value: word, label: textOf(word) }))}
    />
  )
}

/** The note says from which level a value comes, when that is not the one being changed. */
const useNote = ({ name, settings, level }: FieldsProps & { readonly name: WordSetting }): string | undefined => {
  const { t } = useTranslation('reader')
  const decider = settings.levels.toReversed().find(({ values }) => values[name] !== undefined)?.level
  if (decider === undefined || decider === level) return undefined
  const isStronger = readerLevels.indexOf(decider) > readerLevels.indexOf(level)
  const decided = t(`settings.level.${decider}`)
  return isStronger ? t('settings.overruled', { level: decided }) : t('settings.inherited', { level: decided })
}

interface AmountProps extends FieldsProps {
  readonly name: 'gap' | 'sidePadding'
  readonly max: number
  readonly text: string
}

const Amount = ({ name, max, text, settings, level }: AmountProps): ReactNode => {
  const { t } = useTranslation('reader')
  const label = t(`settings.${name}`)
  return (
    <Stack as="label" gap={1} className={styles.amount}>
      <Row as="span" align="stretch" justify="between" className={styles.label}>
        {label} <span className={styles.value}>{text}</span>
      </Row>
      <input
        type="range"
        min={0}
        max={max}
        value={settings.effective[name] ?? usual[name]}
        aria-label={label}
        aria-valuetext={text}
        onChange={({ currentTarget }) => settings.save(level, { [name]: Number(currentTarget.value) })}
      />
    </Stack>
  )
}
