# Drives a Superset inside this process by its API, as its pages do: imports the ZIP with its dashboard, then that with the
# history, draws each dataset, the dashboard, and the charts that it is asked for. Takes a file of JSON and writes another.
import json
import os
import sys

import superset
from flask_migrate import upgrade
from superset.app import create_app


class Api:
    def __init__(self, client):
        self.client = client
        login = {"username": "admin", "password": "admin", "provider": "db", "refresh": False}
        token = client.post("/api/v1/security/login", json=login).json["access_token"]
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path):
        return self.client.get(f"/api/v1/{path}", headers=self.headers).json

    def bring(self, what, path, passwords):
        with open(path, "rb") as file:
            form = {"formData": (file, "airank.zip"), "passwords": json.dumps(passwords), "overwrite": "true"}
            url = f"/api/v1/{what}/import/"
            answer = self.client.post(url, headers=self.headers, data=form, content_type="multipart/form-data")
        return {"status": answer.status_code, "text": answer.get_data(as_text=True)[:2000]}

    def draw(self, identifier, query):
        body = {
            "datasource": {"id": identifier, "type": "table"},
            "force": True,
            "queries": [{"row_limit": 1000, "orderby": [], "filters": [], "columns": [], **query}],
        }
        return read(self.client.post("/api/v1/chart/data", headers=self.headers, json=body))

    def saved(self, identifier):
        return read(self.client.get(f"/api/v1/chart/{identifier}/data/", headers=self.headers))


def read(answer):
    if answer.status_code != 200:
        return {"error": answer.get_data(as_text=True)[:600]}
    result = answer.json["result"][0]
    return {"rows": result["data"]} if not result.get("error") else {"error": result["error"]}


def prepare():
    from superset import appbuilder, security_manager

    upgrade(directory=os.path.join(os.path.dirname(superset.__file__), "migrations"))
    appbuilder.add_permissions(update_perms=True)
    security_manager.sync_role_definitions()
    role = security_manager.find_role("Admin")
    security_manager.add_user("admin", "A", "B", "admin@localhost", role, password="admin")


def look(api, identifier):
    """A sample, every saved measure, and the first of them over time."""
    it = api.get(f"dataset/{identifier}")["result"]
    metrics = [one["metric_name"] for one in it["metrics"]]
    time = it["main_dttm_col"]
    columns = [one["column_name"] for one in it["columns"]]
    drawn = {
        "sample": api.draw(identifier, {"columns": columns, "metrics": [], "row_limit": 10}),
        "measures": api.draw(identifier, {"metrics": metrics}),
    }
    if time:
        kind = {"columnType": "BASE_AXIS", "expressionType": "SQL", "timeGrain": "P1D"}
        axis = {**kind, "label": time, "sqlExpression": time}
        drawn["series"] = api.draw(identifier, {"columns": [axis], "metrics": metrics[:1], "granularity": time})
    view = f"{it['schema']}.{it['table_name'].removesuffix('_history' if it['sql'] else '')}"
    return {"id": identifier, "view": view, "time": time, "drawn": drawn}


def main(asked_file, answers_file):
    with open(asked_file) as file:
        asked = json.load(file)
    app = create_app()
    with app.app_context():
        prepare()
    api = Api(app.test_client())
    imports = [
        api.bring("dashboard", asked["zip"], {}),
        api.bring("dashboard", asked["zip"], {"databases/airank.yaml": asked["password"]}),
        api.bring("dataset", asked["history"], {}),
    ]
    datasets = [look(api, one["id"]) for one in api.get("dataset/?q=(page_size:1000)")["result"]]
    dashboards = api.get("dashboard/")["result"]
    saved = [one for it in dashboards for one in api.get(f"dashboard/{it['id']}/charts")["result"]]
    charts = {one["slice_name"]: api.saved(one["id"]) for one in saved}
    for chart in asked["charts"]:
        for it in datasets if "asked" in chart else []:
            if it["view"] == chart["asked"]["view"]:
                charts[chart["name"]] = api.draw(it["id"], {"granularity": it["time"], **chart["asked"]["query"]})
    answers = {"imports": imports, "datasets": datasets, "dashboards": len(dashboards), "charts": charts}
    with open(answers_file, "w") as file:
        json.dump(answers, file)


main(sys.argv[1], sys.argv[2])
