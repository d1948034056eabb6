// The meaning of words in field names, in Spanish and English. Each line is a concept, followed by words for it in the
// singular, without accents. A word with several meanings is on several lines.

const lines = `
action accion action medida tarea task recomendacion recommendation iniciativa initiative mejora improvement change cambio intervencion intervention actuacion
active activo activa active vigente enabled habilitado habilitada live tracked
actual real actual efectivo achieved logrado obtenido conseguido medido
advertisement anuncio ad ads advert sponsored patrocinado publicidad paid pagado promo
current current actual vigente now
after despues after post posterior posteriori luego now ahora current actual new nuevo final revised revisado followup follow seguimiento treatment resultante nowvalue
alert alerta alert aviso warning notificacion notification
amount importe monto amount cantidad cuantia suma sum valuacion
answer respuesta answer response contestacion reply salida output contestado contestada respondido respondida contesto respondio answered replied
attribute atributo attribute rasgo cualidad quality trait caracteristica feature adjetivo adjective asociacion association
authority autoridad authority reputacion reputation trust strength fuerza da dr rating peso weight
because porque because why rationale justificacion justification razonamiento reasoning motivo razon reason
before antes before previo previa previous prior pre anterior was old viejo original baseline inicial initial partida
bot bot crawler robot spider arana rastreador agente agent ua visitante
brand marca brand firma empresa company
byte byte size tamano kb weight peso transfer transferido volumen
candidate candidato candidata candidate propuesta suggestion sugerencia idea keyword phrase frase normalizado normalized
canonical canonico canonica canonical normalizado normalizada normalized norm
cart carrito cesta cart basket
category categoria category familia family
change cambio change modificacion modification edit edicion diff ajuste
channel canal channel via medio medium referrer procedencia origen origin source fuente
check verificado verificada verify verified comprobado comprobada comprobacion check checked revisado revisada revision reviewed review verificacion contrastado contrastada contraste auditado auditada validado validada validated reviso comprobo verifico
citation cita citation cite cited citado citada mencionado veces times apariciones reference referencia
city ciudad city localidad town municipio poblacion plaza
claim afirmacion claim declaracion statement asercion assertion aserto sentence frase enunciado dicho said
class clase class clasificacion classification tier nivel rango grupo
client cliente client customer cuenta account tenant cta
cluster cluster grupo group agrupacion tema topic theme tematica bucket
code codigo code cod
cohort cohorte cohort k
commerce comercio merchant tienda store shop vendedor seller vendor retailer comerciante outlet
company empresa company negocio business organizacion organization organisation compania firm sociedad
comparable comparable comparabilidad comparability eligible elegible homologable equiparable likeforlike apto apta valido valid trendable computable computa cuenta counts homogeneo homogenea comp
competitor competidor competidora competitor competencia competition rival adversario contrincante challenger contender contendiente opponent oponente rivais concorrente comp
conclusion conclusion takeaway learned aprendido leccion lesson outcome
confidence confianza confidence fiabilidad certeza certainty reliability probabilidad probability prob seguridad trust
conversion conversion
count conteo count recuento cuenta numero number num cantidad n qty quantity cnt times veces hits frecuencia frequency
country pais country nacion mercado market territorio territory
covered cubierto cubierta covered cobertura coverage cubre
created creado creada created inserted creacion creation alta registrado registro registered signup opened abierto abierta apertura raised issued emitido emitida emision onboarded joined incorporacion generado generada generated calculado calculada computed nacimiento since made hecha elaborado elaborada creo
currency moneda currency divisa monetaria iso4217
cut corte cut cohorte ambito scope slice alcance nivel level dimension axis eje grupo group
dates fecha date dia day fec when cuando at on dt momento timestamp ts captured captured capturado captura recogido recogida collected corte tomada tomado decidido decidida decided dictado
decision decision resolucion choice eleccion veredicto call
demand demanda demand volumen volume
description descripcion description detalle desc
destination destino destination target lleva leads lands landing aterriza
detected detectado detectada detected deteccion detection descubierto discovered found hallado visto flagged spotted senalado identificado identificada identified detecto aparecio
dimension dimension pilar pillar componente component subscore desglose breakdown eje axis axe facet faceta factor subpuntuacion area bloque block
direction direccion direction sentido heading rumbo signo
domain dominio domain host hostname sitio site web website homepage
done hecho hecha done reaccion reaction ejecutado ejecutada executed realizado performed taken accion action respuesta response did
due vence vencimiento due deadline caduca caducidad expira expires expiry expire renovacion renewal
duration duracion duration elapsed tardado tardo took tiempo time latencia latency runtime
email correo email mail
end fin end final ended finish finished termino terminada terminado terminated completed completado completada cierre closed close until hasta to wrapped acabado acabada concluido concluida concluded finalizado finalizada through cerrado cerrada stop acabo finalizo acaba termina
engine motor engine ia ai asistente assistant proveedor provider plataforma platform buscador chatbot
error error fallo failure fail errores failed caida incidencia
excluded excluido excluida excluded
expectation expectativa expectation esperado esperada expected expect objetivo prevision forecast previsto prevista target meta predicted predecido hoped anticipado anticipated proyectado
experiment experimento experiment test prueba ensayo trial
fact hecho fact dato realidad truth evidencia evidence verdad correcto correct
fired disparado disparada fired triggered saltado lanzado lanzada activado activada ocurrido occurred happened salto disparo ocurrio saltar
first primero primera first inicial initial
frozen congelado congelada frozen freeze fijado fijada locked bloqueado sellado
funnel embudo funnel
gap brecha gap hueco diferencia difference distancia deficit missing shortfall desventaja disadvantage
generated generado generada generated sintetico sintetica synthetic artificial
goal objetivo goal objective meta target proposito aim fin
hits visita visit hit acceso access peticion request rastreo crawl solicitud llamada
horizon horizonte horizon plazo ahead antelacion lookahead vista
hypothesis hipotesis hypothesis creencia belief suposicion assumption premisa conjetura guess
id id identificador identifier uuid uid guid key clave codigo code slug ref referencia reference handle pid numero num number nro expediente folio renglon cod
impact impacto impact efecto effect
index indice index idx
intent intencion intent proposito purpose
interest interes interest popularidad popularity trend tendencia
kind tipo type kind clase categoria category modalidad modality naturaleza nature mode modo launched variedad formato format via soporte rubro
label etiqueta label tag rotulo
landing landing aterrizaje entrada entry destino
language idioma language lang lengua locale
last ultimo ultima last latest reciente recent
learning aprendizaje learning leccion lesson
level nivel level grado degree magnitud magnitude
lever palanca lever tactica tactic knob tecnica technique area
link enlace link liga hipervinculo outlink clic click
location ubicacion location lugar place sede
lower inferior lower minimo minima min low bajo baja suelo floor desde from inf pesimista pessimistic worst p10 p5 minimum
maps mapa map local places lugares
mean media medio mean average avg promedio
measured medido medida measured measure medicion measurement tracked tracking monitorizado monitorizada monitored seguido seguimiento analizado analizada watched vigilado computed calculado calculada elaborado elaborada evaluado evaluada evaluated
measurement medicion measurement run analisis analysis estudio lote batch muestreo
median mediana median p50 q2
mention mencion mention aparicion appearance mencionado mencionada mentioned aparece appears nombrado nombrada named seen hits visto frecuencia sale
message mensaje message aviso texto text msg blurb copy nota note detalle narrative
method metodo method metodologia methodology algoritmo algorithm formula tecnica technique procedure procedimiento
metric metrica metric indicador indicator kpi magnitud measure
millisecond ms millisecond milisegundo millis
model modelo model llm mod
movement movimiento movement variacion variation delta change cambio evolucion trend shift desplazamiento subida
name nombre name denominacion designation titulo title nom label etiqueta alias rotulo
observed observado observada observed observacion observation real visto vista seen asked medido measured
opportunity oportunidad opportunity potencial potential upside headroom margen recorrido ganancia gain ocasion chance opening
order pedido order compra purchase venta sale transaccion transaction operacion ticket
own propio propia own owned ours nuestro nuestra mine self firstparty
page pagina page
path ruta path camino
per100 per100 porcien cadacien 100 cien hundred
percentile percentil percentile pctl pctrank centil
period periodo period ventana window plazo
phrase frase phrase literal quote verbatim excerpt extracto fragmento snippet cita textual evidencia
point punto point puntos points pt pts ptos pto
polarity polaridad polarity signo sign valence valencia tono tone carga sentiment sentimiento sentido
position posicion position placement puesto place lugar ranking orden order slot ordinal standing pos placing
postponed pospuesto pospuesta postponed aplazado aplazada deferred snoozed snooze retrasado retrasada delayed wake pausado
prediction prediccion predicted predicho prediction prevision forecast pronostico proyeccion projection
presence presencia presence visibilidad visibility aparicion appearance mencion mention coverage cobertura aparece appears marca brand
previous previo previa previous anterior
price precio price pricing pvp tarifa
priority prioridad priority urgencia urgency importancia importance
product producto product articulo item ficha card
provenance procedencia provenance origen origin fuente source basis base evidencia atribucion attribution
purpose proposito purpose finalidad uso use
question pregunta question prompt consulta query wording enunciado formulacion redaccion frase phrase
quoted quoted citado stated declarado dicho mencionado percibido perceived ia ai
robotstxt robots robotstxt
rank rank ranking airank clasificacion
rate tasa rate ratio porcentaje percent percentage pct proporcion proportion share cuota
reading lectura reading interpretacion interpretation nota note
reason razon reason motivo cause causa porque why justificacion rationale explicacion explanation note nota caveat salvedad flag comment comentario observacion remark aviso exclusion matiz because
recommended recomendado recomendada recommended recomendacion recommendation sugerido sugerida preferred preferido
render render renderizado rendered renderizacion rendering js javascript
research investigacion research estudio study job
result resultado result outcome desenlace res
revenue ingreso revenue facturacion facturado income venta sale sales earnings earned turnover bruto gross neto net dinero money
run run ejecucion execution corrida
search busqueda search consulta query subquery subconsulta fanout expansion rastreo
sector sector industria industry vertical rubro ramo actividad activity niche nicho giro
sentiment sentimiento sentiment tono tone polaridad valence
session sesion session visita visit trafico traffic
share cuota share porcentaje percentage participacion proporcion peso sov
shopping compra shopping purchase product producto carrusel carousel tienda
score puntuacion score nota indice index puntos points rating airank valoracion punt calificacion grade marcador pts pt punto point puntaje ptj
seen visto vista seen aparicion
sku sku mpn
source fuente source origen origin enlace link
start inicio start inicial comienzo begin began started comenzado iniciado iniciada empezado arranque launched lanzado desde from since kicked arrancado arrancada opened empezo comenzo arranco
status estado status state situacion stage fase phase lifecycle estatus condicion condition outcome salud health etapa st standing
summary resumen summary sintesis abstract recap digest
suppressed suprimido suprimida suppressed oculto oculta hidden withheld masked enmascarado redacted
surface superficie surface bloque block
term termino term keyword palabra token
text texto text contenido content body cuerpo
threshold umbral threshold limite limit cutoff tope
title titulo title encabezado heading headline head nombre name asunto
topic tema topic asunto subject theme tematica materia area
trend tendencia trend rumbo outlook evolucion direction direccion
trigger disparador trigger regla rule alarma
unit unidad unit
updated actualizado actualizada actualizacion updated update modificado modificada modificacion modified refreshed refresco synced sincronizado changed touched actualizo mod datauntil
upper superior upper maximo maxima max high alto alta techo ceiling hasta to sup optimista optimistic best p90 p95 maximum
url url enlace link uri href direccion address target pagina page liga
value valor value cifra figure dato mid central lectura reading estimate estimacion resultado cuantia
variant variante variant variacion variation
verdict veredicto verdict dictamen juicio ruling judgement judgment call assessment evaluacion conclusion resultado outcome finding
no no not contra against cons counter argumento argument
visitor visitor visitante visitatori
why why porque favor pro pros
win victoria win won ganado ganada exito success gana ganador winner recomendado recommended preferido preferred
`;

/** Concepts that each word may stand for. */
export const conceptsOf: ReadonlyMap<string, readonly string[]> = readLines(lines);

function readLines(text: string): Map<string, string[]> {
  const concepts = new Map<string, string[]>();
  for (const line of text.trim().split('\n')) {
    const [concept = '', ...words] = line.split(' ');
    for (const word of new Set(words)) concepts.set(word, [...(concepts.get(word) ?? []), concept]);
  }
  return concepts;
}

const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/,\s+/)
      .map((pair) => pair.split('=') as [string, string]),
  );

/** Phrases that count as one word. */
export const phrases = pairsOf(`
  ai rank=airank, position among competitors=position, rank among competitors=rank, posicion entre competidores=posicion,
  puesto entre competidores=puesto, por lo alto=upper, por lo bajo=lower, range lower=lower, range upper=upper, stock keeping unit=sku,
  lower bound=lower, upper bound=upper, lower limit=lower, upper limit=upper, rank ia=airank, rank ai=airank, as=asof, datos hasta=datauntil,
  datos al=datauntil, data until=datauntil,
  data through=datauntil, robots txt=robotstxt, first party=firstparty, follow up=followup, like for like=likeforlike, pct rank=pctrank,
  percent rank=pctrank, por 100=per100, por cada 100=per100, por cada cien=per100, por cien=per100, per 100=per100,
  per hundred=per100, per cent=percent, por ciento=percent, por que=why, p value=pvalue, valor p=pvalue, standard error=stderr, std err=stderr, error estandar=stderr, razon social=legalname,
  response time=latency, mapa sitio=sitemap, site map=sitemap, cuota voz=sov,
  tiempo respuesta=latencia, user agent=bot, en uso=activo, in use=active, en tendencia=trendable, vale tendencia=trendable,
  in trend=trendable`);

/** Abbreviations with which no word begins, or too many. */
export const abbreviations = pairsOf(`
  act=actualizado, art=articulo, attr=attribute, attrs=attribute, aut=autoridad, auth=autoridad, avg=media,
  cat=categoria, cc=country, ccy=currency, cd=codigo, chg=changed, cli=cliente, conf=confianza, cur=currency,
  crt=created, curr=current, ctry=country, cust=cliente, desc=descripcion, dom=dominio, f=fecha, fch=fecha,
  freq=frecuencia, ftes=fuentes, hi=upper, ident=id, imp=importe, lo=lower, lvl=nivel, med=medicion, msg=mensaje,
  nom=nombre, opp=opportunity, pc=porcentaje, pct=porcentaje, perc=porcentaje, pk=id, pos=posicion, posn=posicion, prty=prioridad, rpt=report,
  ppal=principal, pred=prediccion, prev=previo, prio=prioridad, prob=probabilidad, prod=producto, qty=quantity,
  rel=relation, resp=respuesta, sig=siguiente, stat=status, stats=estadistica, sent=sentimiento, t=momento, t0=start, t1=end,
  tit=titulo, ttl=titulo, tx=texto, txt=texto, ud=unidad, ult=ultimo, upd=updated, val=valor, vis=visitas`);
