import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type ColourName, colourNames, colours } from './use-marks.ts'
import type { Selection } from './use-selection.ts'
import styles from './marks.module.css'

/** It offers actions on selected text. */
export const SelectionBar = ({ selection }: { readonly selection: Selection }): ReactNode => {
  const { t } = useTranslation('ebook')
  if (!selection.isSelected) return null
  return (
    <div className={styles.selection} role="toolbar" aria-label={t('selection.title')}>
      <Colours onChoose={selection.mark} />
      <Button variant="default" size="sm" onClick={selection.note}>
        {t('selection.note')}
      </Button>
      <Button variant="default" size="sm" onClick={selection.copy}>
        {t('selection.copy')}
      </Button>
    </div>
  )
}

interface ColoursProps {
  readonly chosen?: string
  readonly onChoose: (colour: ColourName) => void
}

export const Colours = ({ chosen, onChoose }: ColoursProps): ReactNode => {
  const { t } = useTranslation('ebook')
  return (
    <div className={styles.colours}>
      {colourNames.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.colour}
          aria-label={t(`colour.${name}`)}
          title={t(`colour.${name}`)}
          aria-pressed={chosen === undefined ? undefined : chosen === name}
          style={{ color: colours[name] }}
          // The text stays selected.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(name)}
        />
      ))}
    </div>
  )
}
