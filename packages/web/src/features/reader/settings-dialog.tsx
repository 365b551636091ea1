import { type BookDetail, type ReaderLevel, type ReaderSettings, readerLevels } from '@carrel/api'
import { Button, NativeSelect, Switch } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Look, usual } from '../../reader/look.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toasts.tsx'
import { backgrounds, directions, fits, spreadChoices, tapZoneChoices } from './choices.ts'
import type { ReaderSettingsInUse } from './use-reader-settings.ts'
import styles from './settings-dialog.module.css'

interface SettingsDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly book: BookDetail
  readonly settings: ReaderSettingsInUse
  readonly look: Look
}

/** What is chosen shows at once behind the dialog. First for what, then what. */
export const SettingsDialog = ({ isOpen, onClose, book, settings, look }: SettingsDialogProps): ReactNode => {
  const { t } = useTranslation('reader')
  const [level, setLevel] = useState<ReaderLevel>('series')
  const own = settings.levels.find((each) => each.level === level)?.values ?? {}
  const reset = (): void => {
    const before = own
    settings.save(level, Object.fromEntries(Object.keys(own).map((name) => [name, null])))
    toast({ text: t('settings.wasReset'), undo: () => settings.save(level, before) })
  }
  return (
    <Dialog
      title={t('settings.title')}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        Object.keys(own).length === 0 ? undefined : (
          <Button variant="default" onClick={reset}>
            {t(`settings.reset.${level}`)}
          </Button>
        )
      }
    >
      <div className={styles.fields}>
        <NativeSelect
          label={t('settings.for')}
          description={t(`settings.about.${level}`, { series: book.seriesName, library: book.libraryName })}
          value={level}
          onChange={({ currentTarget }) =>
            setLevel(readerLevels.find((each) => each === currentTarget.value) ?? 'series')
          }
          data={readerLevels.toReversed().map((value) => ({ value, label: t(`settings.level.${value}`) }))}
        />
        <Fields level={level} settings={settings} look={look} />
      </div>
    </Dialog>
  )
}

type FieldsProps = Pick<SettingsDialogProps, 'settings' | 'look'> & { readonly level: ReaderLevel }

const Fields = ({ level, settings, look }: FieldsProps): ReactNode => {
  const { t } = useTranslation('reader')
  const said: Required<ReaderSettings> = { ...usual, ...settings.effective }
  const isStrip = look.direction === 'webtoon'
  const isSideways = look.direction === 'ltr' || look.direction === 'rtl'
  const save = (change: ReaderSettings): void => settings.save(level, change)
  const noteOf = (name: keyof ReaderSettings): string | undefined => {
    const decider = settings.levels.toReversed().find(({ values }) => values[name] !== undefined)?.level
    if (decider === undefined || decider === level) return undefined
    const isStronger = readerLevels.indexOf(decider) > readerLevels.indexOf(level)
    return t(isStronger ? 'settings.overruled' : 'settings.inherited', { level: t(`settings.level.${decider}`) })
  }
  return (
    <>
      <Choice
        label={t('settings.direction')}
        note={noteOf('direction')}
        value={said.direction}
        words={['auto', ...directions]}
        textOf={(word) => t(`direction.${word}`)}
        onChoose={(direction) => save({ direction })}
      />
      {isSideways ? (
        <Choice
          label={t('settings.spreads')}
          note={noteOf('spreads')}
          value={said.spreads}
          words={spreadChoices}
          textOf={(word) => t(`spreads.${word}`)}
          onChoose={(spreads) => save({ spreads })}
        />
      ) : null}
      {isStrip ? null : (
        <Choice
          label={t('settings.fit')}
          note={noteOf('fit')}
          value={said.fit}
          words={fits}
          textOf={(word) => t(`fit.${word}`)}
          onChoose={(fit) => save({ fit })}
        />
      )}
      <Choice
        label={t('settings.background')}
        note={noteOf('background')}
        value={said.background}
        words={backgrounds}
        textOf={(word) => t(`background.${word}`)}
        onChoose={(background) => save({ background })}
      />
      {isStrip ? null : (
        <Choice
          label={t('settings.tapZones')}
          note={noteOf('tapZones')}
          value={said.tapZones}
          words={tapZoneChoices}
          textOf={(word) => t(`tapZones.${word}`)}
          onChoose={(tapZones) => save({ tapZones })}
        />
      )}
      {isStrip || look.isDouble ? (
        <Amount
          label={t('settings.gap')}
          text={t('settings.pixels', { count: said.gap })}
          value={said.gap}
          max={100}
          onChoose={(gap) => save({ gap })}
        />
      ) : null}
      {isStrip ? (
        <Amount
          label={t('settings.sidePadding')}
          text={t('settings.percent', { count: said.sidePadding })}
          value={said.sidePadding}
          max={45}
          onChoose={(sidePadding) => save({ sidePadding })}
        />
      ) : null}
      {look.isDouble ? (
        <Switch
          label={t('settings.coverAlone')}
          checked={said.coverAlone}
          onChange={({ currentTarget }) => save({ coverAlone: currentTarget.checked })}
        />
      ) : null}
    </>
  )
}

interface ChoiceProps<Word extends string> {
  readonly label: string
  readonly note: string | undefined
  readonly value: Word
  readonly words: readonly Word[]
  readonly textOf: (word: Word) => string
  readonly onChoose: (word: Word) => void
}

const Choice = <Word extends string>({ label, note, value, words, textOf, onChoose }: ChoiceProps<Word>): ReactNode => (
  <NativeSelect
    label={label}
    description={note}
    value={value}
    onChange={({ currentTarget }) => {
      const chosen = words.find((word) => word === currentTarget.value)
      if (chosen !== undefined) onChoose(chosen)
    }}
    data={words.map((word) => ({ value: word, label: textOf(word) }))}
  />
)

interface AmountProps {
  readonly label: string
  readonly text: string
  readonly value: number
  readonly max: number
  readonly onChoose: (value: number) => void
}

const Amount = ({ label, text, value, max, onChoose }: AmountProps): ReactNode => (
  <label className={styles.amount}>
    <span className={styles.label}>
      {label} <span className={styles.value}>{text}</span>
    </span>
    <input
      type="range"
      min={0}
      max={max}
      value={value}
      aria-label={label}
      aria-valuetext={text}
      onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
    />
  </label>
)
