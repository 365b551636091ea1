import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccentChange, useColourSchemeChange } from '../../session/change-preferences.ts'
import { Grid } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { accents, useAccent } from '../../ui/theme/accent.ts'
import { colourSchemes, useColourScheme } from '../../ui/theme/colour-scheme.ts'
import { AccentPicture, SchemePicture } from './scheme-pictures.tsx'
import styles from './scheme-section.module.css'

/** How the app looks, by pictures of it. What is chosen holds at once, here and on all devices. */
export const SchemeSection = (): ReactNode => {
  const { t } = useTranslation('account')
  const scheme = useColourScheme()
  const changeLook = useColourSchemeChange()
  const accent = useAccent()
  const changeAccent = useAccentChange()
  return (
    <Section title={t('look.title')}>
      <Grid as="fieldset" gap={3} className={styles.looks}>
        <legend className={styles.legend}>{t('look.theme')}</legend>
        {colourSchemes.map((each) => (
          <Choice
            key={each}
            name="look"
            label={t(`look.${each}`)}
            isChosen={each === scheme}
            onChoose={() => changeLook(each)}
          >
            <SchemePicture scheme={each} />
          </Choice>
        ))}
      </Grid>
      <Grid as="fieldset" gap={3} min={9}>
        <legend className={styles.legend}>{t('look.accent')}</legend>
        {accents.map((each) => (
          <Choice
            key={each}
            name="accent"
            label={t(`accent.${each}`)}
            isChosen={each === accent}
            onChoose={() => changeAccent(each)}
          >
            <AccentPicture accent={each} />
          </Choice>
        ))}
      </Grid>
    </Section>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly children: ReactNode
}

const Choice = ({ name, label, isChosen, onChoose, children }: ChoiceProps): ReactNode => (
  <label className={styles.choice} data-kind={name}>
    <input type="radio" name={name} checked={isChosen} onChange={onChoose} className={styles.radio} />
    {children}
    <span>{label}</span>
  </label>
)
