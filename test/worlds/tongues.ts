// The names of the contrast world in four languages, word by word: Spanish, English, Portuguese, German.

const table = `
accion action acao massnahme · actualizada updated atualizada aktualisiert · afirmacion claim afirmacao aussage
afirmaciones claims afirmacoes aussagen · antes before antes vorher · anterior previous anterior vorig
anuncios ads anuncios anzeigen · autoridad authority autoridade autoritaet · avisos alerts avisos hinweise
bot bot bot bot · brecha gap lacuna luecke · busquedas searches buscas suchen · bytes bytes bytes bytes
calculado computed calculado berechnet · canal channel canal kanal · candidatos candidates candidatos kandidaten
caduca expires expira verfaellt · ciudad city cidade stadt · citas citations citacoes zitate
clase class classe klasse · cliente client cliente kunde · cluster cluster cluster cluster
comentario comment comentario kommentar · comentarios comments comentarios kommentare
comercio merchant loja haendler · comparable comparable comparavel vergleichbar
compras shopping compras einkauf · confianza confidence confianca vertrauen · corte cut corte schnitt
creada created criada erstellt · cubiertas covered cobertas abgedeckt · cuota share quota anteil
decision decision decisao entscheidung · demanda demand procura nachfrage · despues after depois nachher
destino destination destino ziel · dia day dia tag · direccion direction direcao richtung
disparador trigger gatilho ausloeser · dominio domain dominio domain · duracion duration duracao dauer
ediciones edits edicoes aenderungen · enlace url ligacao url · enlaces links ligacoes links
errores errors erros fehler · esperada expected esperada erwartet · estado status estado status
estimacion estimate estimativa schaetzung · fecha date data datum · fin end fim ende · frase phrase frase satz
fuentes sources fontes quellen · generada generated gerada generiert · gestor manager gestor betreuer
hecho made feito gemacht · hipotesis hypothesis hipotese hypothese · id id id id
idioma language idioma sprache · importe amount valor betrag · iniciada started iniciada begonnen
inicio start inicio beginn · intencion intent intencao absicht · interes interest interesse interesse
interna internal interna intern · lanzada launched lancada gestartet · latido heartbeat batimento herzschlag
maximo max maximo hoechst · mapas maps mapas karten · marca brand marca marke · marcas brands marcas marken
maxima max maxima hoechst · media mean media mittel · medicion measurement medicao messung
medido measured medido gemessen · mencionado mentioned mencionado genannt · menciones mentions mencoes nennungen
meta goal meta soll · metodo method metodo methode · metrica metric metrica kennzahl · minimo min minimo mindest
modelo model modelo modell · moneda currency moeda waehrung · motivos reasons motivos gruende
motor engine motor maschine · motores engines motores maschinen · movimiento movement movimento bewegung
ms ms ms ms · nombre name nome name · nota note nota notiz · notas notes notas notizen
objetivo target objetivo ziel · observado observed observado beobachtet
observaciones remarks observacoes bemerkungen · omitidos skipped omitidos ausgelassen
oportunidad opportunity oportunidade chance · pais country pais land · palanca lever alavanca hebel
pedidos orders pedidos bestellungen · pendientes pending pendentes offen
percentil percentile percentil perzentil · perfil profile perfil profil · plan plan plano plan
polaridad polarity polaridade polaritaet · por per por pro · posicion position posicao position
precio price preco preis · pregunta question pergunta frage · preguntas questions perguntas fragen
presencia presence presenca praesenz · prevista forecast prevista prognose · previstas planned previstas geplant
previstos planned previstos geplant · previo prior previo vorher · primera first primeira erste
prioridad priority prioridade prioritaet · producto product produto produkt · propia own propia eigen
propias own propias eigene · propio own proprio eigene · proposito purpose proposito zweck
proxima next proxima naechste · publicada published publicada veroeffentlicht · puntos points pontos punkte
puntuacion score pontuacao wertung · rasgo attribute atributo merkmal · real actual real ist
recomendado recommended recomendado empfohlen · renovacion renewal renovacao erneuerung
respuesta answer resposta antwort · respuestas answers respostas antworten · resultado result resultado ergebnis
resumen summary resumo zusammenfassung · revisada reviewed revista geprueft · revision review revisao pruefung
rival rival rival wettbewerber · rivales rivals rivais wettbewerber · rotos broken quebrados defekt
run run run lauf · s s s s · sector sector setor branche · seleccion shown selecao gezeigt
serie series serie reihe · sesiones sessions sessoes sitzungen · sku sku sku sku
superficies surfaces superficies flaechen · tarifa rate tarifa tarif · tasa rate taxa quote
temas topics temas themen · terminos terms termos begriffe · texto text texto text · tipo type tipo art
titulo title titulo titel · tono tone tom ton · ultima last ultima letzte · ultimo last ultimo letzter
unidad unit unidade einheit · v1 v1 v1 v1 · v2 v2 v2 v2 · valor value valor wert
variantes versions variantes varianten · veces times vezes male · vence due vence faellig
ventana window janela fenster · veredicto verdict veredito urteil · victorias wins vitorias siege
vigente current vigente aktuell · visita visit visita besuch · visitas visits visitas besuche
voz voice voz stimme
`;

export const tongues = ['es', 'en', 'pt', 'de'] as const;
type Tongue = (typeof tongues)[number];

const lines = table.split(/[\n·]/).map((line) => line.trim().split(' '));
const words = new Map(lines.map(([spanish = '', ...others]) => [spanish, [spanish, ...others]]));

/** A name as that language writes it: in German `preisZiel`. */
function nameIn(tongue: Tongue, name: string): string {
  const parts = name.split('_').map((part) => {
    const word = /^\d+$/.test(part) ? part : words.get(part)?.[tongues.indexOf(tongue)];
    if (word === undefined) throw new RangeError(`${part} has no line`);
    return word;
  });
  if (tongue !== 'de') return parts.join('_');
  return parts
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('');
}

/** A path, whose names are translated and the rest is not. */
export const pathIn = (tongue: Tongue, path: string): string =>
  path.replaceAll(/[a-z_0-9]+(?![^[]*\])/g, (name) => nameIn(tongue, name));
